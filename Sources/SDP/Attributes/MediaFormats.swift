package import Primitives

/// What a payload type stands for (RFC 8866, section 6.6).
package struct RTPMap: Hashable, Sendable {
    package var payloadType: PayloadType
    package var encoding: String
    package var clockRateHz: UInt32
    package var channelCount: UInt8

    package init(payloadType: PayloadType, encoding: String, clockRateHz: UInt32, channelCount: UInt8 = 1) {
        self.payloadType = payloadType
        self.encoding = encoding
        self.clockRateHz = clockRateHz
        self.channelCount = channelCount
    }

    /// Reads what follows `a=rtpmap:`.
    init?(_ text: Substring) {
        let words = text.words
        guard words.count == 2, let payloadType = PayloadType(text: words[0]) else { return nil }
        let parts = words[1].parts(separatedBy: "/")
        guard parts.count == 2 || parts.count == 3, let rate = decimal(parts[1], as: UInt32.self), rate > 0 else {
            return nil
        }
        let channels = parts.count == 3 ? decimal(parts[2], as: UInt8.self) : 1
        guard let channels, channels > 0 else { return nil }
        self.init(
            payloadType: payloadType, encoding: String(parts[0]), clockRateHz: rate, channelCount: channels)
    }

    var text: String {
        let base = "\(payloadType.rawValue) \(encoding)/\(clockRateHz)"
        return channelCount == 1 ? base : "\(base)/\(channelCount)"
    }

    /// Whether both stand for the same encoding; names compare without case.
    package func isSameEncoding(as other: RTPMap) -> Bool {
        encoding.lowercased() == other.encoding.lowercased() && clockRateHz == other.clockRateHz
            && channelCount == other.channelCount
    }

    /// The payload types that need no `a=rtpmap` (RFC 3551, section 6).
    static let fixed: [RTPMap] = [
        RTPMap(payloadType: PayloadType(0), encoding: "PCMU", clockRateHz: 8000),
        RTPMap(payloadType: PayloadType(8), encoding: "PCMA", clockRateHz: 8000),
        RTPMap(payloadType: PayloadType(9), encoding: "G722", clockRateHz: 8000),
        RTPMap(payloadType: PayloadType(13), encoding: "CN", clockRateHz: 8000),
    ]
}

/// The parameters of a format, `a=fmtp` (RFC 8866, section 6.15), in order.
package struct FormatParameters: Hashable, Sendable {
    package var text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The value of `name`, which compares without case.
    package subscript(name: String) -> Substring? {
        for parameter in Substring(text).parts(separatedBy: ";") {
            let (key, value) = parameter.cut(at: "=")
            if key.trimmed.lowercased() == name { return value?.trimmed }
        }
        return nil
    }

    /// Whether `name` is 1; `nil` where it is not said.
    package func flag(_ name: String) -> Bool? {
        self[name].map { $0 == "1" }
    }
}

extension PayloadType {
    /// Reads 0…127.
    init?(text: some StringProtocol) {
        guard let value = decimal(text, as: UInt8.self), value < 128 else { return nil }
        self.init(value)
    }
}

extension MediaSection {
    /// What the section's formats stand for, in the order of its `m=` line; those without a map are left out.
    package var rtpMaps: [RTPMap] {
        let stated = values(of: "rtpmap").compactMap(RTPMap.init)
        return formats.compactMap { format in
            guard let type = PayloadType(text: format) else { return nil }
            return stated.first { $0.payloadType == type } ?? RTPMap.fixed.first { $0.payloadType == type }
        }
    }

    package func formatParameters(of type: PayloadType) -> FormatParameters? {
        for value in values(of: "fmtp") {
            let (format, parameters) = value.cut(at: " ")
            if let parameters, PayloadType(text: format) == type { return FormatParameters(String(parameters.trimmed)) }
        }
        return nil
    }

    /// The length of audio that a packet should carry (RFC 8866, section 6.4).
    package var packetTime: Duration? {
        milliseconds("ptime")
    }

    /// The most audio that a packet may carry (RFC 8866, section 6.5).
    package var maximumPacketTime: Duration? {
        milliseconds("maxptime")
    }

    private func milliseconds(_ name: String) -> Duration? {
        guard let value = value(of: name), let count = decimal(value, as: UInt16.self), count > 0 else { return nil }
        return .milliseconds(count)
    }
}
