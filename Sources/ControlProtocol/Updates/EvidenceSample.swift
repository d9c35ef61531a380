import Glibc

/// One second of one person's figures in a call, or a note on a moment: a line of the evidence.
///
/// What cannot be known is left out. Per cents are of that second, counts since the start of the stream.
package struct EvidenceSample: Codable, Hashable, Sendable {
    /// Milliseconds since 1970.
    package var time: Int
    package var call: String
    package var room: String
    /// Absent of notes.
    package var participant: String?
    package var name: String?
    package var roundTripMs: Double?
    /// E-model estimate, 1…4.5.
    package var mos: Double?
    package var receivedLost: Int?
    package var receivedLossPercent: Double?
    package var latePercent: Double?
    package var concealedPercent: Double?
    package var repairedPercent: Double?
    package var burstLength: Double?
    package var jitterMs: Double?
    package var bufferMs: Double?
    package var receivedKbps: Double?
    package var sentLost: Int?
    package var sentLossPercent: Double?
    package var sentJitterMs: Double?
    package var sentKbps: Double?
    package var pictureWidth: Int?
    package var pictureHeight: Int?
    package var pictureFps: Double?
    package var pictureKbps: Double?
    package var pictureFreezes: Int?
    package var note: String?

    package init(time: Int, call: String, room: String) {
        self.time = time
        self.call = call
        self.room = room
    }
}

/// The evidence as a table (RFC 4180).
extension EvidenceSample {
    /// The first line.
    package static let csvHeader = columns.map(\.name).joined(separator: ",")

    /// One line, without its end. Times are in UTC (ISO 8601).
    package var csvLine: String {
        Self.columns.map { $0.value(self) }.joined(separator: ",")
    }

    private struct Column: Sendable {
        var name: String
        var value: @Sendable (EvidenceSample) -> String
    }

    private static let columns = [
        Column(name: "time") { timestamp($0.time) },
        Column(name: "call") { quoted($0.call) },
        Column(name: "room") { quoted($0.room) },
        Column(name: "participant") { quoted($0.participant) },
        Column(name: "name") { quoted($0.name) },
        number("roundTripMs") { $0.roundTripMs },
        number("mos") { $0.mos },
        count("receivedLost") { $0.receivedLost },
        number("receivedLossPercent") { $0.receivedLossPercent },
        number("latePercent") { $0.latePercent },
        number("concealedPercent") { $0.concealedPercent },
        number("repairedPercent") { $0.repairedPercent },
        number("burstLength") { $0.burstLength },
        number("jitterMs") { $0.jitterMs },
        number("bufferMs") { $0.bufferMs },
        number("receivedKbps") { $0.receivedKbps },
        count("sentLost") { $0.sentLost },
        number("sentLossPercent") { $0.sentLossPercent },
        number("sentJitterMs") { $0.sentJitterMs },
        number("sentKbps") { $0.sentKbps },
        count("pictureWidth") { $0.pictureWidth },
        count("pictureHeight") { $0.pictureHeight },
        number("pictureFps") { $0.pictureFps },
        number("pictureKbps") { $0.pictureKbps },
        count("pictureFreezes") { $0.pictureFreezes },
        Column(name: "note") { quoted($0.note) },
    ]

    private static func number(_ name: String, _ value: @escaping @Sendable (EvidenceSample) -> Double?) -> Column {
        Column(name: name) { value($0).map { "\($0)" } ?? "" }
    }

    private static func count(_ name: String, _ value: @escaping @Sendable (EvidenceSample) -> Int?) -> Column {
        Column(name: name) { value($0).map { "\($0)" } ?? "" }
    }

    /// Others choose names and rooms: one that a spreadsheet would take for a formula becomes text.
    private static func quoted(_ text: String?) -> String {
        guard var text, !text.isEmpty else { return "" }
        if let first = text.first, "=+-@\t\r".contains(first) { text = "'" + text }
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// Milliseconds since 1970 as `2026-11-30T14:05:09.250Z`.
    package static func timestamp(_ milliseconds: Int) -> String {
        var seconds = time_t(milliseconds / 1000)
        var calendar = tm()
        gmtime_r(&seconds, &calendar)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &calendar)
        let fraction = String(milliseconds % 1000 + 1000).dropFirst()
        return text.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" } + ".\(fraction)Z"
    }
}
