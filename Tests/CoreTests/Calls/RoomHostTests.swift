import ControlProtocol
import Foundation
import Glibc
import Primitives
import Reactor
import Signaling
import TestSupport
import Testing
import Transport

@testable import Core

/// What rooms of one address show of themselves.
@Suite(.serialized) struct RoomHostTests {
    /// A host in a directory of its own.
    @EngineActor
    private final class Scene {
        let directory: TemporaryDirectory
        let host: RoomHost
        let port: UInt16

        init() throws {
            directory = try TemporaryDirectory("hoot-host")
            let directories = Directories(
                environment: ["HOME": directory.path, "HOOT_STATE_DIR": directory.path], userID: getuid())
            host = RoomHost(directories: directories)
            port = UInt16(try freePort())
        }

        func close() {
            host.shutDown()
        }

        func open(_ name: String, _ change: (inout RoomHost.Plan) -> Void = { _ in }) throws -> RoomHost.Opened {
            var plan = RoomHost.Plan(name: try RoomName(name), address: "127.0.0.1", port: port)
            change(&plan)
            return try host.open(plan)
        }

        func refusal(_ name: String, _ change: (inout RoomHost.Plan) -> Void = { _ in }) -> String {
            do {
                _ = try open(name, change)
                return ""
            } catch {
                return "\(error)"
            }
        }

        /// The user's own certificate, in files of this name.
        func files(_ name: String) throws -> CertificateFiles {
            let pem = String(decoding: try DTLSIdentity().pem(), as: UTF8.self)
            let path = directory.path + "/" + name
            try pem.write(toFile: path, atomically: true, encoding: .utf8)
            return CertificateFiles(certificate: path, key: path)
        }
    }

    @Test @EngineActor func roomsOfOneAddressShareItsCertificate() throws {
        let scene = try Scene()
        defer { scene.close() }
        let own = try scene.files("own.pem")
        let first = try scene.open("first") { $0.certificate = own }
        let second = try scene.open("second")
        let third = try scene.open("third") { $0.certificate = own }
        #expect(first.server === second.server && second.server === third.server)
        for opened in [first, second, third] {
            #expect(opened.links.allSatisfy { $0.scheme == .https && $0.fingerprint == nil })
        }
    }

    @Test @EngineActor func aRoomThatAsksForAnotherCertificateIsRefusedByName() throws {
        let scene = try Scene()
        defer { scene.close() }
        let (own, other) = (try scene.files("own.pem"), try scene.files("other.pem"))
        _ = try scene.open("first") { $0.certificate = own }
        let refusal = scene.refusal("second") { $0.certificate = other }
        #expect(refusal.contains("serves other rooms with \(own.certificate)") && refusal.contains("--listen"))
        #expect(scene.host.room("second") == nil)
    }

    @Test @EngineActor func aRoomThatAsksForTLSIsNotServedWithoutIt() throws {
        let scene = try Scene()
        defer { scene.close() }
        _ = try scene.open("first")
        #expect(scene.refusal("second") { $0.publicAddress = "203.0.113.7" }.contains("without TLS"))
        let own = try scene.files("own.pem")
        #expect(scene.refusal("second") { $0.certificate = own }.contains("without TLS"))
        #expect(scene.refusal("second") == "")
    }

    /// The files of a version whose certificates lasted a month, and those of a clock that was wrong.
    @Test @EngineActor func aCertificateAtItsEndIsRenewedWithAWord() throws {
        let scene = try Scene()
        defer { scene.close() }
        let path = scene.directory.path
        try CertificateFilesTests.expired.write(toFile: path + "/room-cert.pem", atomically: true, encoding: .utf8)
        try CertificateFilesTests.expiredKey.write(toFile: path + "/room-key.pem", atomically: true, encoding: .utf8)
        let former = try TLSCredentials(
            certificateFile: path + "/room-cert.pem", keyFile: path + "/room-key.pem"
        ).fingerprint()
        let opened = try scene.open("first") { $0.publicAddress = "203.0.113.7" }
        #expect(opened.note?.contains("links from before are void") == true)
        let pin = try #require(opened.links.first?.fingerprint)
        #expect(pin != former)
        scene.close()
        let again = try scene.open("second") { $0.publicAddress = "203.0.113.7" }
        #expect(again.links.first?.fingerprint == pin && again.note?.contains("void") == false)
    }
}
