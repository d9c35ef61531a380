import CSndfile

/// Reads sound files of one channel.
package enum SoundFileReader {
    /// Every sample that can be read; of a file that was not closed those before its torn end.
    package static func samples(of path: String) throws -> [Float] {
        var info = SF_INFO()
        guard let file = sf_open(path, Int32(SFM_READ), &info) else {
            throw ChildProcess.Failure(description: "\(path): \(String(cString: sf_strerror(nil)))")
        }
        defer { sf_close(file) }
        guard info.samplerate == 48_000, info.channels == 1 else {
            throw ChildProcess.Failure(description: "\(path): \(info.samplerate) Hz, \(info.channels) channels")
        }
        var samples: [Float] = []
        var block = [Float](repeating: 0, count: 4800)
        while true {
            let count = sf_read_float(file, &block, 4800)
            guard count > 0 else { return samples }
            samples += block.prefix(Int(count))
        }
    }
}
