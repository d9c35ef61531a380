import Primitives

/// The audio encodings that can be agreed on, best first.
package enum NegotiatedCodec: String, Sendable, CaseIterable {
    case opus
    case pcmu
    case pcma

    /// How the encoding stands in a description, with the payload type that we offer it at. Opus is always said to be
    /// 48000/2, whatever is sent (RFC 7587, section 7).
    var map: RTPMap {
        switch self {
        case .opus:
            RTPMap(payloadType: PayloadType(111), encoding: "opus", clockRateHz: 48_000, channelCount: 2)
        case .pcmu: RTPMap(payloadType: PayloadType(0), encoding: "PCMU", clockRateHz: 8000)
        case .pcma: RTPMap(payloadType: PayloadType(8), encoding: "PCMA", clockRateHz: 8000)
        }
    }

    /// The rate of its RTP timestamps.
    package var clockRateHz: UInt32 {
        map.clockRateHz
    }

    init?(_ map: RTPMap) {
        guard let codec = Self.allCases.first(where: { $0.map.isSameEncoding(as: map) }) else { return nil }
        self = codec
    }
}

/// Key presses in the audio stream (RFC 4733).
enum TelephoneEvent {
    static let offered = [
        RTPMap(payloadType: PayloadType(110), encoding: "telephone-event", clockRateHz: 48_000),
        RTPMap(payloadType: PayloadType(126), encoding: "telephone-event", clockRateHz: 8000),
    ]

    static func isOne(_ map: RTPMap) -> Bool {
        map.encoding.lowercased() == "telephone-event"
    }
}

/// Packets of Opus that carry earlier ones again (RFC 2198).
enum Redundancy {
    /// Also what Chromium offers it at.
    static let offered = RTPMap(payloadType: PayloadType(63), encoding: "red", clockRateHz: 48_000, channelCount: 2)

    static func isOne(_ map: RTPMap) -> Bool {
        map.isSameEncoding(as: offered)
    }

    /// What stands behind `a=fmtp`: the payload types that may be in it. How many there are says nothing about how many
    /// copies there will be.
    static func parameters(of type: PayloadType) -> String {
        "\(type.rawValue)/\(type.rawValue)"
    }

    /// Whether nothing but `type` is in packets with these parameters.
    static func isOf(_ type: PayloadType, _ parameters: FormatParameters) -> Bool {
        Substring(parameters.text).parts(separatedBy: "/").allSatisfy { PayloadType(text: $0) == type }
    }
}

/// What a receiver of Opus asks of the sender (RFC 7587, section 6.1).
package struct OpusParameters: Hashable, Sendable {
    package var usesInbandFEC = false
    package var usesDTX = false
    package var isStereo = false
    package var isConstantBitrate = false
    package var minimumPacketTime: Duration?
    /// 6000…510000.
    package var maximumAverageBitrate: UInt32?
    /// 8000…48000.
    package var maximumPlaybackRateHz: UInt32?

    package init() {}

    init(_ parameters: FormatParameters) {
        usesInbandFEC = parameters.flag("useinbandfec") ?? false
        usesDTX = parameters.flag("usedtx") ?? false
        isStereo = parameters.flag("stereo") ?? false
        isConstantBitrate = parameters.flag("cbr") ?? false
        let packetTime = parameters["minptime"].flatMap { decimal($0, as: UInt8.self) }
        minimumPacketTime = packetTime.flatMap { (3...120).contains($0) ? .milliseconds($0) : nil }
        maximumAverageBitrate = Self.number(parameters["maxaveragebitrate"], in: 6000...510_000)
        maximumPlaybackRateHz = Self.number(parameters["maxplaybackrate"], in: 8000...48_000)
    }

    private static func number(_ text: Substring?, in range: ClosedRange<UInt32>) -> UInt32? {
        text.flatMap { decimal($0, as: UInt32.self) }.flatMap { range.contains($0) ? $0 : nil }
    }

    var text: String {
        var parts: [String] = []
        if let time = minimumPacketTime { parts.append("minptime=\(time.nanoseconds / 1_000_000)") }
        parts.append("useinbandfec=\(usesInbandFEC ? 1 : 0)")
        parts.append("usedtx=\(usesDTX ? 1 : 0)")
        parts.append("stereo=\(isStereo ? 1 : 0)")
        if isConstantBitrate { parts.append("cbr=1") }
        if let rate = maximumAverageBitrate { parts.append("maxaveragebitrate=\(rate)") }
        if let rate = maximumPlaybackRateHz { parts.append("maxplaybackrate=\(rate)") }
        return parts.joined(separator: ";")
    }
}
