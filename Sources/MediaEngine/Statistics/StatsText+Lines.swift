import Primitives

extension StatsText {
    /// The lines joined by line feeds, without one at the end.
    package var text: String {
        lines.joined(separator: "\n")
    }

    package var lines: [String] {
        (connection.map { [$0.line] } ?? []) + (videoSent?.lines ?? []) + (videoReceived.map { [$0.line] } ?? [])
            + (audioSent.map { [$0.line] } ?? []) + (audioReceived.map { [$0.line] } ?? [])
            + (lostLine.map { [$0] } ?? [])
    }

    private var lostLine: String? {
        let counts = [
            ("VS", videoSent?.packetsLost), ("VR", videoReceived?.packetsLost), ("AS", audioSent?.packetsLost),
            ("AR", audioReceived?.packetsLost),
        ]
        let parts = counts.compactMap { name, count in count.map { "\(name) \($0)" } }
        return parts.isEmpty ? nil : "Packets lost: " + parts.joined(separator: " | ")
    }

    /// `nbps`, from 1,000 on whole `Kbps`, from 1,000,000 on `Mbps` with two decimals.
    static func bitrate(_ bitsPerSecond: Double) -> String {
        let rate = bitsPerSecond.isFinite ? max(bitsPerSecond, 0).rounded() : 0
        if rate >= 1e6 {
            return fixed(rate / 1e6, decimals: 2) + "Mbps"
        }
        return rate >= 1000 ? "\(Int((rate / 1000).rounded()))Kbps" : "\(Int(rate))bps"
    }

    /// `value`, at least 0, with so many decimals and a point, whatever the locale.
    static func fixed(_ value: Double, decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1) { power, _ in power * 10 }
        let scaled = Int((min(max(value, 0), 1e9) * Double(scale)).rounded())
        let fraction = String(scaled % scale + scale).dropFirst()
        return "\(scaled / scale).\(fraction)"
    }

    static func milliseconds(_ duration: Duration) -> String {
        "\(Int(duration.milliseconds.rounded()))ms"
    }
}

extension StatsText.Connection {
    fileprivate var line: String {
        let time = roundTrip.map(StatsText.milliseconds) ?? "–"
        return "CN \(time) | \(localType.statsName)->\(remoteType.statsName)/\(transport)"
            + " | (s)\(StatsText.bitrate(sentBitsPerSecond)) | (r)\(StatsText.bitrate(receivedBitsPerSecond))"
    }
}

extension StatsText.Picture {
    fileprivate var text: String {
        "\(width)x\(height)@\(framesPerSecond)fps"
    }
}

extension StatsText.VideoSent {
    fileprivate var lines: [String] {
        let encoded = "\(StatsText.bitrate(encodedBitsPerSecond))/\(StatsText.bitrate(targetBitsPerSecond))"
        let sentRates = "\(StatsText.bitrate(sentBitsPerSecond))/\(StatsText.bitrate(availableBitsPerSecond))"
        return [
            "VS (input) \(input.text) | (sent) \(sent.text)",
            "VS (enc) \(encoded) | (sent) \(sentRates) | \(StatsText.milliseconds(encodeTime)) | \(codec)",
        ] + (quantizer.map { ["AvgQP (past \($0.frameCount) encoded frames) = \($0.mean)"] } ?? [])
    }
}

extension StatsText.VideoReceived {
    fileprivate var line: String {
        "VR (recv) \(received.text) | (decoded)\(decodedFramesPerSecond) | (output)\(outputFramesPerSecond)fps"
            + " | \(StatsText.bitrate(bitsPerSecond))/\(StatsText.bitrate(availableBitsPerSecond))"
            + " | \(StatsText.milliseconds(decodeTime))"
    }
}

extension StatsText.AudioSent {
    fileprivate var line: String {
        "AS \(StatsText.bitrate(bitsPerSecond)) | \(codec)"
    }
}

extension StatsText.AudioReceived {
    fileprivate var line: String {
        "AR \(StatsText.bitrate(bitsPerSecond)) | \(codec) | \(StatsText.milliseconds(delay))"
            + " | (expandrate)\(StatsText.fixed(expandRate, decimals: 6))"
    }
}
