import Primitives

/// What can be told of an Opus payload without decoding it (RFC 7587; RFC 6716, section 3).
package struct OpusPayload: Hashable, Sendable {
    /// Which of its coders Opus uses.
    package enum Mode: Hashable, Sendable {
        case silk
        case hybrid
        case celt
    }

    package var mode: Mode
    package var isStereo: Bool
    /// Frames in the payload, 1…48.
    package var frameCount: Int
    /// One frame's length in ticks of the 48 kHz RTP clock.
    package var frameTicks: Int32

    /// Reads the table-of-contents byte, and the frame count where that byte says so. `nil`: empty, no frame, or more
    /// than the 120 ms that a packet may hold.
    package init?(parsing payload: RawSpan) {
        var offset = 0
        guard let contents = try? payload.readUInt8(at: &offset) else { return nil }
        let configuration = Int(contents >> 3)
        (mode, frameTicks) = Self.frame(of: configuration)
        isStereo = contents & 4 != 0
        switch contents & 3 {
        case 0: frameCount = 1
        case 1, 2: frameCount = 2
        default:
            guard let countByte = try? payload.readUInt8(at: &offset) else { return nil }
            frameCount = Int(countByte & 63)
        }
        guard frameCount > 0, ticks <= 5760 else { return nil }
    }

    /// The whole payload's length in ticks of the 48 kHz RTP clock.
    package var ticks: Int32 {
        frameTicks * Int32(frameCount)
    }

    /// Table 2 of RFC 6716.
    private static func frame(of configuration: Int) -> (Mode, Int32) {
        switch configuration {
        case 0..<12: (.silk, [480, 960, 1920, 2880][configuration % 4])
        case 12..<16: (.hybrid, [480, 960][configuration % 2])
        default: (.celt, [120, 240, 480, 960][configuration % 4])
        }
    }
}
