package import MediaEngine

/// The first line of a YUV4MPEG2 file: `YUV4MPEG2 W640 H480 F30:1 C420jpeg`, and more that is of no matter here.
package struct Y4MHeader: Hashable, Sendable {
    /// The longest line that is read, with its end.
    static let maximumLength = 1024
    static let magic = "YUV4MPEG2"

    package var size: VideoSize
    /// Frames a second, as a fraction.
    package var rate: (numerator: Int, denominator: Int) {
        (rateNumerator, rateDenominator)
    }
    private var rateNumerator = 25
    private var rateDenominator = 1
    /// Bytes of the line, with its end.
    package var length: Int

    /// Reads the line that `bytes` begin with.
    package init(_ bytes: some Collection<UInt8>) throws(Y4MError) {
        guard let end = bytes.prefix(Self.maximumLength).firstIndex(of: UInt8(ascii: "\n")) else { throw .notY4M }
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        guard words.first.map(String.init) == Self.magic else { throw .notY4M }
        size = VideoSize(width: 0, height: 0)
        length = bytes.distance(from: bytes.startIndex, to: end) + 1
        for word in words.dropFirst() {
            try take(word.prefix(1), word.dropFirst())
        }
        guard (2...8192).contains(size.width), (2...8192).contains(size.height) else { throw .size(size) }
    }

    private mutating func take(_ tag: Substring, _ value: Substring) throws(Y4MError) {
        switch tag {
        case "W":
            size.width = Int(value) ?? 0
        case "H":
            size.height = Int(value) ?? 0
        case "F":
            let parts = value.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard parts.count == 2, (1...1_000_000).contains(parts[0]), (1...1_000_000).contains(parts[1]) else {
                throw .rate(String(value.prefix(32)))
            }
            (rateNumerator, rateDenominator) = (parts[0], parts[1])
        case "C":
            guard ["420", "420jpeg", "420mpeg2", "420paldv"].contains(value) else {
                throw .layout(String(value.prefix(32)))
            }
        default:
            break
        }
    }
}

/// What is wrong with a YUV4MPEG2 file.
package enum Y4MError: Error, Hashable, Sendable, CustomStringConvertible {
    case notY4M
    /// The picture's size is missing, or out of 2…8192.
    case size(VideoSize)
    case rate(String)
    /// The chroma layout is not 4:2:0 with 8 bits.
    case layout(String)
    /// Not one whole picture follows the header.
    case noPicture
    /// The line before a picture does not begin with FRAME.
    case frameHeader(offset: Int)

    package var description: String {
        switch self {
        case .notY4M: "it does not begin with a YUV4MPEG2 line"
        case .size(let size): "its pictures are \(size.width)x\(size.height); sides from 2 to 8192 are read"
        case .rate(let text): "its rate F\(text) is no fraction of two numbers"
        case .layout(let text): "its layout is C\(text), and only 8-bit 4:2:0 is read"
        case .noPicture: "it holds no whole picture"
        case .frameHeader(let offset): "no picture begins at byte \(offset)"
        }
    }

    /// What to do about it.
    var remedy: String {
        switch self {
        case .notY4M, .layout, .size: "convert it: ffmpeg -i FILE -pix_fmt yuv420p OUT.y4m"
        case .rate, .noPicture, .frameHeader: "make it anew"
        }
    }
}
