import Foundation

/// WAV files of 48 kHz mono with 16-bit samples: what `ffmpeg -ac 1 -ar 48000` writes.
enum WaveFile {
    static func read(_ path: String) throws -> [Float] {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        guard bytes.count > 44, bytes.starts(with: Array("RIFF".utf8)) else {
            throw BenchError(description: "\(path): no WAV file; convert it with ffmpeg -ac 1 -ar 48000")
        }
        var place = 12
        while place + 8 <= bytes.count {
            let size = number(bytes[place + 4..<place + 8])
            if Array(bytes[place..<place + 4]) == Array("data".utf8) {
                let end = min(bytes.count, place + 8 + size)
                return stride(from: place + 8, to: end - 1, by: 2).map {
                    Float(Int16(truncatingIfNeeded: number(bytes[$0..<$0 + 2]))) / 32_768
                }
            }
            let isFormat = Array(bytes[place..<place + 4]) == Array("fmt ".utf8)
            guard !isFormat || number(bytes[place + 12..<place + 16]) == 48_000 else {
                throw BenchError(description: "\(path): not 48 kHz; convert it with ffmpeg -ac 1 -ar 48000")
            }
            place += 8 + size + size % 2
        }
        throw BenchError(description: "\(path): no data chunk; convert it with ffmpeg -ac 1 -ar 48000")
    }

    static func write(_ samples: [Float], to path: String) throws {
        var bytes = Array("RIFF".utf8) + field(UInt32(36 + samples.count * 2)) + Array("WAVEfmt ".utf8)
        bytes += field(UInt32(16)) + field(UInt16(1)) + field(UInt16(1)) + field(UInt32(48_000))
        bytes += field(UInt32(96_000)) + field(UInt16(2)) + field(UInt16(16))
        bytes += Array("data".utf8) + field(UInt32(samples.count * 2))
        bytes.reserveCapacity(bytes.count + samples.count * 2)
        for sample in samples { bytes += field(Int16(max(-32_768, min(32_767, (sample * 32_768).rounded())))) }
        try Data(bytes).write(to: URL(filePath: path))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func field<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
}
