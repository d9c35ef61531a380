package import Primitives

/// A kind of RTCP feedback that is agreed on, `a=rtcp-fb` (RFC 4585, section 4.2).
package struct FeedbackAttribute: Hashable, Sendable {
    /// `nil`: all payload types of the section.
    package var payloadType: PayloadType?
    /// `nack`, `ccm`, `goog-remb`, `transport-cc`, …
    package var kind: String
    /// `pli`, `fir`, …
    package var parameter: String?

    package init(payloadType: PayloadType?, kind: String, parameter: String? = nil) {
        self.payloadType = payloadType
        self.kind = kind
        self.parameter = parameter
    }

    /// Reads what follows `a=rtcp-fb:`.
    init?(_ text: Substring) {
        let words = text.words
        guard words.count >= 2 else { return nil }
        if words[0] != "*" {
            guard let type = PayloadType(text: words[0]) else { return nil }
            payloadType = type
        }
        kind = words[1].lowercased()
        parameter = words.count > 2 ? words[2].lowercased() : nil
    }

    var text: String {
        let type = payloadType.map { "\($0.rawValue)" } ?? "*"
        return "\(type) \(kind)" + (parameter.map { " " + $0 } ?? "")
    }
}

/// Sources that belong together, `a=ssrc-group` (RFC 5576, section 4.2).
package struct SourceGroup: Hashable, Sendable {
    /// A stream and the one that repeats its packets (RFC 4588, section 8.8).
    package static let flowIdentification = "FID"

    package var semantics: String
    package var sources: [SSRC]

    /// Reads what follows `a=ssrc-group:`.
    init?(_ text: Substring) {
        let words = text.words
        guard let semantics = words.first else { return nil }
        self.semantics = String(semantics)
        let numbers = words.dropFirst().map { decimal($0, as: UInt32.self) }
        sources = numbers.compactMap { $0.map { SSRC($0) } }
        guard sources.count == numbers.count else { return nil }
    }
}

/// The name of one stream of a section, `a=rid` (RFC 8851, section 10).
package struct StreamRestriction: Hashable, Sendable {
    package enum Direction: String, Sendable {
        case send
        case recv
    }

    /// Letters, digits, `-` and `_`.
    package var identifier: String
    package var direction: Direction
    /// What stands behind, as it is: payload types and limits.
    package var restrictions: String?

    package init(identifier: String, direction: Direction, restrictions: String? = nil) {
        self.identifier = identifier
        self.direction = direction
        self.restrictions = restrictions
    }

    /// Reads what follows `a=rid:`.
    init?(_ text: Substring) {
        let words = text.words
        guard words.count >= 2, let direction = Direction(rawValue: String(words[1])), Self.isIdentifier(words[0])
        else { return nil }
        identifier = String(words[0])
        self.direction = direction
        restrictions = words.count > 2 ? words[2...].joined(separator: " ") : nil
    }

    static func isIdentifier(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    var text: String {
        "\(identifier) \(direction.rawValue)" + (restrictions.map { " " + $0 } ?? "")
    }
}

/// Streams of the same picture in several qualities, `a=simulcast` (RFC 8853, section 5.1), best first; of alternatives
/// the first.
package struct SimulcastAttribute: Hashable, Sendable {
    package struct Stream: Hashable, Sendable {
        package var identifier: String
        /// Not sent for the time being.
        package var isPaused = false

        package init(_ identifier: String, isPaused: Bool = false) {
            self.identifier = identifier
            self.isPaused = isPaused
        }
    }

    package var sending: [Stream] = []
    package var receiving: [Stream] = []

    package init(sending: [Stream] = [], receiving: [Stream] = []) {
        self.sending = sending
        self.receiving = receiving
    }

    /// Reads what follows `a=simulcast:`.
    init?(_ text: Substring) {
        let words = text.words
        guard words.count == 2 || words.count == 4 else { return nil }
        for index in stride(from: 0, to: words.count, by: 2) {
            guard let streams = Self.streams(words[index + 1]) else { return nil }
            switch words[index] {
            case "send": sending = streams
            case "recv": receiving = streams
            default: return nil
            }
        }
    }

    private static func streams(_ list: Substring) -> [Stream]? {
        let streams = list.parts(separatedBy: ";").compactMap { part -> Stream? in
            guard let first = part.parts(separatedBy: ",").first else { return nil }
            let isPaused = first.utf8.first == UInt8(ascii: "~")
            let identifier = isPaused ? first.dropFirst() : first
            return StreamRestriction.isIdentifier(identifier) ? Stream(String(identifier), isPaused: isPaused) : nil
        }
        return streams.isEmpty ? nil : streams
    }

    var text: String {
        [("send", sending), ("recv", receiving)].filter { !$0.1.isEmpty }.map { direction, streams in
            direction + " " + streams.map { ($0.isPaused ? "~" : "") + $0.identifier }.joined(separator: ";")
        }.joined(separator: " ")
    }
}

extension MediaSection {
    package var feedback: [FeedbackAttribute] {
        values(of: "rtcp-fb").compactMap(FeedbackAttribute.init)
    }

    package var sourceGroups: [SourceGroup] {
        values(of: "ssrc-group").compactMap(SourceGroup.init)
    }

    package var restrictions: [StreamRestriction] {
        values(of: "rid").compactMap(StreamRestriction.init)
    }

    package var simulcast: SimulcastAttribute? {
        values(of: "simulcast").lazy.compactMap(SimulcastAttribute.init).first
    }

    /// The payload type that repeats packets of `type` (RFC 4588, section 8.6); `nil`: none does.
    package func retransmissionType(of type: PayloadType) -> PayloadType? {
        rtpMaps.first { map in
            map.encoding.lowercased() == "rtx"
                && formatParameters(of: map.payloadType)?["apt"].flatMap { PayloadType(text: $0) } == type
        }?.payloadType
    }
}
