import Glibc

/// Plays samples into a sink of a private server, by a `pacat` of its own, until it is released.
package final class PulsePlayer {
    private let child: ChildProcess
    private let directory: TemporaryDirectory

    /// Starts to play `samples` (48 kHz mono) into `sink`.
    package init(_ pulse: PrivatePulse, sink: String, samples: [Float]) throws {
        directory = try TemporaryDirectory("hoot-play")
        let path = directory.path + "/sound.raw"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        samples.withUnsafeBytes { raw in
            var offset = 0
            while offset < raw.count {
                let count = write(descriptor, raw.baseAddress?.advanced(by: offset), raw.count - offset)
                guard count > 0 else { return }
                offset += count
            }
        }
        close(descriptor)
        child = try ChildProcess(
            [
                "pacat", "--raw", "-d", sink, "--rate=48000", "--channels=1", "--format=float32le",
                "--latency-msec=40", path,
            ],
            environment: pulse.environment)
    }
}
