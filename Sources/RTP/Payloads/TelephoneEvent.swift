import Primitives

/// One report of a named event, such as a DTMF digit (RFC 4733, section 2.3).
package struct TelephoneEvent: Hashable, Sendable, BitwiseCopyable {
    /// The payload's length.
    package static let byteCount = 4
    /// Event codes of `0`…`9`, `*`, `#`, `A`…`D`, at their index.
    private static let digits: [Character] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#", "A", "B", "C", "D",
    ]

    /// The event's code; 0…15 are the DTMF digits.
    package var code: UInt8
    /// Whether this report ends the event. The last one is sent three times (section 2.5.1.4).
    package var isEnd: Bool
    /// The tone's power in −dBm0, 0…63.
    package var volume: UInt8
    /// How long the event has lasted, in RTP ticks.
    package var durationTicks: UInt16

    package init(code: UInt8, isEnd: Bool, volume: UInt8, durationTicks: UInt16) {
        self.code = code
        self.isEnd = isEnd
        self.volume = min(volume, 63)
        self.durationTicks = durationTicks
    }

    /// The code of `digit` (either case); `nil`: it is none.
    package static func code(of digit: Character) -> UInt8? {
        digits.firstIndex { String($0) == digit.uppercased() }.map { UInt8($0) }
    }

    /// The digit; `nil`: another event.
    package var digit: Character? {
        Int(code) < Self.digits.count ? Self.digits[Int(code)] : nil
    }

    /// Reads the first report of a payload; `nil`: it is shorter than one.
    package init?(parsing payload: RawSpan) {
        var offset = 0
        guard let code = try? payload.readUInt8(at: &offset), let flags = try? payload.readUInt8(at: &offset),
            let duration = try? payload.readUInt16(at: &offset)
        else { return nil }
        self.init(code: code, isEnd: flags & 0x80 != 0, volume: flags & 0x3F, durationTicks: duration)
    }

    /// The payload.
    package var bytes: [UInt8] {
        [
            code, volume | (isEnd ? 0x80 : 0), UInt8(truncatingIfNeeded: durationTicks >> 8),
            UInt8(truncatingIfNeeded: durationTicks),
        ]
    }
}
