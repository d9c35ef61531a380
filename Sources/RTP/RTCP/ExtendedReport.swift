package import Primitives

/// Extended reports (RFC 3611). Blocks that are not understood are skipped and counted.
package struct ExtendedReport: Hashable, Sendable {
    /// One report block.
    package enum Block: Hashable, Sendable {
        /// The time at one who sends no sender reports (section 4.4).
        case referenceTime(NTPTime)
        /// Answers to reference times (section 4.5).
        case delays([Delay])
        case voiceMetrics(VoiceMetrics)
    }

    /// The answer to one receiver's reference time.
    package struct Delay: Hashable, Sendable, BitwiseCopyable {
        package var receiver: SSRC
        /// The middle of the reference time.
        package var lastReferenceTime: UInt32
        /// The time since it came, in 65,536ths of a second.
        package var delaySinceLastReferenceTime: UInt32

        package init(receiver: SSRC, lastReferenceTime: UInt32, delaySinceLastReferenceTime: UInt32) {
            self.receiver = receiver
            self.lastReferenceTime = lastReferenceTime
            self.delaySinceLastReferenceTime = delaySinceLastReferenceTime
        }
    }

    package var sender: SSRC
    package var blocks: [Block]
    /// Blocks that are not understood or contradict their own length.
    package private(set) var skippedCount = 0

    package init(sender: SSRC, blocks: [Block]) {
        self.sender = sender
        self.blocks = blocks
    }

    init(_ body: RawSpan) throws(ByteError) {
        var offset = 0
        sender = SSRC(try body.readUInt32(at: &offset))
        blocks = []
        while offset < body.byteCount {
            let type = try body.readUInt8(at: &offset)
            _ = try body.readUInt8(at: &offset)
            let words = Int(try body.readUInt16(at: &offset))
            let content = try body.take(words * 4, at: &offset)
            if let block = try? Self.block(type: type, content: body.extracting(content)) {
                blocks.append(block)
            } else {
                skippedCount += 1
            }
        }
    }

    private static func block(type: UInt8, content: RawSpan) throws(ByteError) -> Block? {
        var offset = 0
        switch type {
        case 4:
            return .referenceTime(NTPTime(bits: try content.readUInt64(at: &offset)))
        case 5:
            var delays: [Delay] = []
            while offset < content.byteCount {
                delays.append(try Delay(content, at: &offset))
            }
            return .delays(delays)
        case 7:
            return .voiceMetrics(try VoiceMetrics(content))
        default:
            return nil
        }
    }

    func write(into writer: inout ByteWriter) {
        writer.write(sender.rawValue)
        for block in blocks {
            block.write(into: &writer)
        }
    }
}

extension ExtendedReport.Delay {
    fileprivate init(_ content: RawSpan, at offset: inout Int) throws(ByteError) {
        receiver = SSRC(try content.readUInt32(at: &offset))
        lastReferenceTime = try content.readUInt32(at: &offset)
        delaySinceLastReferenceTime = try content.readUInt32(at: &offset)
    }
}

extension ExtendedReport.Block {
    fileprivate func write(into writer: inout ByteWriter) {
        switch self {
        case .referenceTime(let time):
            writer.write(UInt32(4) << 24 | 2)
            writer.write(time.bits)
        case .delays(let delays):
            writer.write(UInt32(5) << 24 | UInt32(truncatingIfNeeded: delays.count * 3))
            for delay in delays {
                writer.write(delay.receiver.rawValue)
                writer.write(delay.lastReferenceTime)
                writer.write(delay.delaySinceLastReferenceTime)
            }
        case .voiceMetrics(let metrics):
            writer.write(UInt32(7) << 24 | 8)
            metrics.write(into: &writer)
        }
    }
}
