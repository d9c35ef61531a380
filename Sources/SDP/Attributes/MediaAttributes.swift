package import Primitives

/// A header extension, `a=extmap` (RFC 8285, section 5).
package struct HeaderExtension: Hashable, Sendable {
    package static let audioLevel = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    package static let mid = "urn:ietf:params:rtp-hdrext:sdes:mid"
    /// The name of a stream of several, and of the one whose packets a stream repeats (RFC 8852).
    package static let stream = "urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"
    package static let repairedStream = "urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id"
    /// The transport-wide sequence number.
    package static let transportSequence =
        "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    /// The time of sending.
    package static let sendTime = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"

    /// 1…14 fits the one-byte form.
    package var identifier: UInt16
    package var direction: MediaDirection?
    package var uri: String

    package init(identifier: UInt16, direction: MediaDirection? = nil, uri: String) {
        self.identifier = identifier
        self.direction = direction
        self.uri = uri
    }

    /// Reads what follows `a=extmap:`.
    init?(_ text: Substring) {
        let words = text.words
        guard words.count >= 2 else { return nil }
        let (number, direction) = words[0].cut(at: "/")
        guard let identifier = decimal(number, as: UInt16.self), identifier > 0 else { return nil }
        self.init(identifier: identifier, uri: String(words[1]))
        guard let direction else { return }
        guard let stated = MediaDirection(rawValue: String(direction)) else { return nil }
        self.direction = stated
    }

    var text: String {
        "\(identifier)\(direction.map { "/" + $0.rawValue } ?? "") \(uri)"
    }
}

/// One line about a source, `a=ssrc` (RFC 5576, section 4.1).
package struct SourceAttribute: Hashable, Sendable {
    package var ssrc: SSRC
    package var name: String
    package var value: String?

    /// Reads what follows `a=ssrc:`.
    init?(_ text: Substring) {
        let (number, rest) = text.cut(at: " ")
        guard let ssrc = decimal(number, as: UInt32.self), let rest, !rest.trimmed.isEmpty else { return nil }
        let (name, value) = rest.trimmed.cut(at: ":")
        self.ssrc = SSRC(ssrc)
        self.name = String(name)
        self.value = value.map(String.init)
    }
}

/// Sections that belong together, `a=group` (RFC 5888, section 5).
package struct MediaGroup: Hashable, Sendable {
    package var semantics: String
    package var mids: [MID]

    /// Reads what follows `a=group:`.
    init?(_ text: Substring) {
        let words = text.words
        guard let semantics = words.first else { return nil }
        self.semantics = String(semantics)
        mids = words.dropFirst().map { MID(String($0)) }
    }
}

extension MediaSection {
    package var mid: MID? {
        value(of: "mid").flatMap { $0.isEmpty ? nil : MID(String($0)) }
    }

    /// RTP and RTCP share a port (RFC 5761; `a=rtcp-mux-only` of RFC 8858 says it more strongly).
    package var isRTCPMuxed: Bool {
        has("rtcp-mux") || has("rtcp-mux-only")
    }

    /// RTCP packets need not be compound (RFC 5506).
    package var isRTCPReducedSize: Bool {
        has("rtcp-rsize")
    }

    /// The section has no address of its own (RFC 8843, section 6).
    package var isBundleOnly: Bool {
        has("bundle-only")
    }

    package var headerExtensions: [HeaderExtension] {
        values(of: "extmap").compactMap(HeaderExtension.init)
    }

    /// Those of `uris`, in their order, with an identifier of the one-byte form, meant for both directions.
    func usableExtensions(_ uris: [String]) -> [HeaderExtension] {
        let stated = headerExtensions
        return uris.compactMap { uri in
            stated.first { $0.uri == uri && $0.identifier < 15 && ($0.direction ?? .sendrecv) == .sendrecv }
        }.map { HeaderExtension(identifier: $0.identifier, uri: $0.uri) }
    }

    package var sources: [SourceAttribute] {
        values(of: "ssrc").compactMap(SourceAttribute.init)
    }

    /// Stream and track identifiers (RFC 8830), each as it stands.
    package var streams: [String] {
        values(of: "msid").map(String.init)
    }

    package var candidates: [CandidateAttribute] {
        values(of: "candidate").compactMap { try? CandidateAttribute(parsing: $0) }
    }

    package var hasEndOfCandidates: Bool {
        has("end-of-candidates")
    }
}

extension SessionDescription {
    package var groups: [MediaGroup] {
        values(of: "group").compactMap(MediaGroup.init)
    }

    package var isICELite: Bool {
        has("ice-lite")
    }

    /// The section whose transport `section` uses: the first of its bundle, else itself (RFC 8843, section 7.2).
    package func transportSection(for section: MediaSection) -> MediaSection {
        guard section.isBundleOnly || !section.has("ice-ufrag"), let mid = section.mid else { return section }
        let bundle = groups.first { $0.semantics == "BUNDLE" && $0.mids.contains(mid) }
        guard let tag = bundle?.mids.first else { return section }
        return sections.first { $0.mid == tag } ?? section
    }

    /// ICE credentials for a section: its own, its bundle's, else the session's.
    package func credentials(for section: MediaSection) -> ICEParameters? {
        let transport = transportSection(for: section)
        guard let ufrag = transport.value(of: "ice-ufrag") ?? value(of: "ice-ufrag"),
            let password = transport.value(of: "ice-pwd") ?? value(of: "ice-pwd")
        else { return nil }
        return ICEParameters(ufrag: ufrag, password: password)
    }

    package func fingerprints(for section: MediaSection) -> [Fingerprint] {
        let own = transportSection(for: section).fingerprints
        return own.isEmpty ? fingerprints : own
    }

    package func setup(for section: MediaSection) -> DTLSSetup? {
        transportSection(for: section).setup ?? setup
    }

    package func iceOptions(for section: MediaSection) -> [Substring] {
        (values(of: "ice-options") + transportSection(for: section).values(of: "ice-options")).flatMap(\.words)
    }
}
