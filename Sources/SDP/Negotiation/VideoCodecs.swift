package import Primitives

/// The video encodings that can be agreed on, best first.
package enum NegotiatedVideoCodec: String, Sendable, CaseIterable {
    case vp8
    case vp9

    /// How the encoding stands in a description, with the payload type that we offer it at.
    var map: RTPMap {
        switch self {
        case .vp8: RTPMap(payloadType: PayloadType(96), encoding: "VP8", clockRateHz: 90_000)
        case .vp9: RTPMap(payloadType: PayloadType(98), encoding: "VP9", clockRateHz: 90_000)
        }
    }

    /// Where its packets are repeated, in our offers.
    var retransmissionType: PayloadType {
        PayloadType(map.payloadType.rawValue + 1)
    }

    /// VP9 in its other profiles (more bits, more colour) is another encoding (RFC 9628, section 6).
    init?(_ map: RTPMap, parameters: FormatParameters?) {
        guard let codec = Self.allCases.first(where: { $0.map.isSameEncoding(as: map) }) else { return nil }
        guard codec != .vp9 || (parameters?["profile-id"] ?? "0") == "0" else { return nil }
        self = codec
    }

    /// What stands behind `a=fmtp`.
    var parameters: String? {
        self == .vp9 ? "profile-id=0" : nil
    }
}

/// An encoding of video at its number.
package struct VideoFormat: Hashable, Sendable {
    package var codec: NegotiatedVideoCodec
    package var payloadType: PayloadType
    /// Where its packets are repeated (RFC 4588); `nil`: nowhere.
    package var retransmission: PayloadType?
}

/// The RTCP feedback of a video section.
package struct VideoFeedback: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Packets that are missing (RFC 4585, section 6.2.1).
    package static let nack = VideoFeedback(rawValue: 1)
    /// A picture that is missing (RFC 4585, section 6.3.1).
    package static let pictureLoss = VideoFeedback(rawValue: 2)
    /// A key frame is wanted (RFC 5104, section 4.3.1).
    package static let fullIntraRequest = VideoFeedback(rawValue: 4)
    /// draft-alvestrand-rmcat-remb.
    package static let maximumBitrate = VideoFeedback(rawValue: 8)
    /// draft-holmer-rmcat-transport-wide-cc-extensions.
    package static let transportWide = VideoFeedback(rawValue: 16)

    /// What we can send and understand, in the order of our descriptions.
    private static let known: [(feedback: VideoFeedback, kind: String, parameter: String?)] = [
        (.maximumBitrate, "goog-remb", nil), (.transportWide, "transport-cc", nil), (.fullIntraRequest, "ccm", "fir"),
        (.nack, "nack", nil), (.pictureLoss, "nack", "pli"),
    ]

    init(_ attributes: [FeedbackAttribute], of type: PayloadType) {
        self = []
        for attribute in attributes where attribute.payloadType ?? type == type {
            let item = Self.known.first { $0.kind == attribute.kind && $0.parameter == attribute.parameter }
            if let item { insert(item.feedback) }
        }
    }

    func attributes(of type: PayloadType) -> [FeedbackAttribute] {
        Self.known.filter { contains($0.feedback) }.map {
            FeedbackAttribute(payloadType: type, kind: $0.kind, parameter: $0.parameter)
        }
    }
}
