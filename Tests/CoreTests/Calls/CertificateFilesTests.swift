import Foundation
import Primitives
import Reactor
import Signaling
import TestSupport
import Testing
import Transport

@testable import Core

@Suite struct CertificateFilesTests {
    /// The two files in a directory of their own.
    private struct Files {
        let directory: TemporaryDirectory
        let certificate: String
        let key: String

        init() throws {
            directory = try TemporaryDirectory("hoot-certificate")
            certificate = directory.path + "/cert.pem"
            key = directory.path + "/key.pem"
        }

        func write(_ pair: (certificate: String, key: String)) throws {
            try pair.certificate.write(toFile: certificate, atomically: true, encoding: .utf8)
            try pair.key.write(toFile: key, atomically: true, encoding: .utf8)
        }

        @EngineActor var refusal: String {
            do {
                _ = try CertificateFiles(certificate: certificate, key: key).load()
                return ""
            } catch {
                return "\(error)"
            }
        }
    }

    /// A new key and its certificate.
    private static func makePair() throws -> (certificate: String, key: String) {
        let pem = String(decoding: try DTLSIdentity().pem(), as: UTF8.self)
        let start = try #require(pem.range(of: "-----BEGIN CERTIFICATE-----")?.lowerBound)
        return (String(pem[start...]), String(pem[..<start]))
    }

    @Test @EngineActor func aPairThatBelongsTogetherIsTaken() throws {
        let files = try Files()
        try files.write(Self.makePair())
        #expect(files.refusal == "")
    }

    @Test @EngineActor func everyKindOfUnusableFileIsNamed() throws {
        let files = try Files()
        #expect(files.refusal.contains("cannot read \(files.certificate)"))
        #expect(
            throws: TLSCredentialsError.unreadable(path: "/dev/zero", reason: "it is not a regular file")
        ) {
            try CertificateFiles(certificate: "/dev/zero", key: "/dev/zero").load()
        }
        try files.write((try Self.makePair().certificate, try Self.makePair().key))
        #expect(files.refusal.contains("\(files.key) is not the key of \(files.certificate)"))
        try files.write(("nonsense", try Self.makePair().key))
        #expect(files.refusal.contains("it or its key cannot be used"))
        try files.write((try Self.makePair().certificate, "nonsense"))
        #expect(files.refusal.contains("it or its key cannot be used"))
        try files.write((Self.expired, Self.expiredKey))
        #expect(files.refusal == "certificate: it expired at 2020-01-02 00:00 UTC; renew it")
    }

    @Test @EngineActor func whatHasChangedAndServesIsTakenOnce() throws {
        let files = try Files()
        try files.write(Self.makePair())
        let kept = CertificateFiles(certificate: files.certificate, key: files.key)
        let first = try kept.load()
        #expect(kept.changed() == nil)
        let next = try Self.makePair()
        try next.certificate.write(toFile: files.certificate, atomically: true, encoding: .utf8)
        #expect(kept.changed() == nil, "half of a renewal does not serve")
        try next.key.write(toFile: files.key, atomically: true, encoding: .utf8)
        let changed = try #require(kept.changed())
        #expect(changed != first && changed.certificatePEM == next.certificate)
        #expect(kept.changed() == nil)
    }

    /// Valid on the first day of 2020.
    static let expired = """
        -----BEGIN CERTIFICATE-----
        MIIBEDCBtgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsYXRlLnRlc3QwHhcN
        MjAwMTAxMDAwMDAwWhcNMjAwMTAyMDAwMDAwWjAUMRIwEAYDVQQDDAlsYXRlLnRl
        c3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASGTF70HU/Zz92ZP082RMvdyTga
        THR+QRCMVqxwQ3T7Gxx77QoFhTZ0CNeAGp6JsyWlRhuqt/NVeTtxBuztgMARMAoG
        CCqGSM49BAMCA0kAMEYCIQCr39z+zAYfr7RsP4/uffbCXUm4OeLylO3S+Wd4lWKb
        OAIhAKmhGeugqbLQJWvD4LHgQ/SqjJum8yudVbhI2qPIiAar
        -----END CERTIFICATE-----
        """
    static let expiredKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcPYOButl4liyNSsE
        bY+tOyk6OeR7KzAKXc+84rxUTPahRANCAASGTF70HU/Zz92ZP082RMvdyTgaTHR+
        QRCMVqxwQ3T7Gxx77QoFhTZ0CNeAGp6JsyWlRhuqt/NVeTtxBuztgMAR
        -----END PRIVATE KEY-----
        """
}
