import Glibc
import Primitives

/// Records a source of a private server, by a `parec` of its own.
package final class PulseRecorder {
    private let child: ChildProcess
    private let descriptor: Int32

    /// Starts to record `source` (`a_spk.monitor`) as 48 kHz mono floats.
    package init(_ pulse: PrivatePulse, source: String) throws {
        let ends = try makePipe()
        defer { close(ends.writer) }
        child = try ChildProcess(
            [
                "parec", "--raw", "-d", source, "--rate=48000", "--channels=1", "--format=float32le",
                "--latency-msec=10",
            ],
            environment: pulse.environment, output: ends.writer)
        descriptor = ends.reader
    }

    deinit {
        close(descriptor)
    }

    /// The next `count` samples, in blocks as they come; fewer when the recording ends or `limit` passes first.
    package func record(_ count: Int, within limit: Duration = .seconds(20)) -> [Float] {
        let deadline = MonoTime.now() + limit
        var bytes: [UInt8] = []
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 4) { buffer in
            while bytes.count < count * 4, wait(until: deadline) {
                let got = read(descriptor, buffer.baseAddress, min(buffer.count, count * 4 - bytes.count))
                guard got > 0 else { return }
                bytes += buffer[..<got]
            }
        }
        return bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    /// Reads until a block of 10 ms satisfies `condition`. Returns that block, or `nil` after `limit`.
    package func awaitBlock(within limit: Duration, where condition: (ToneMeter) -> Bool) -> ToneMeter? {
        let deadline = MonoTime.now() + limit
        while MonoTime.now() < deadline {
            let block = ToneMeter(record(480, within: deadline - .now()))
            if block.samples.isEmpty { return nil }
            if condition(block) { return block }
        }
        return nil
    }

    private func wait(until deadline: MonoTime) -> Bool {
        let left = (deadline - MonoTime.now()).milliseconds
        guard left > 0 else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, Int32(left.rounded(.up))) > 0
    }
}
