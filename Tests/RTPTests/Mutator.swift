import Primitives

/// Makes damaged copies of a corpus: the same seed gives the same ones.
struct Mutator {
    private let corpus: [[UInt8]]
    private var random: SplitMix64

    init(corpus: [[UInt8]], seed: UInt64) {
        self.corpus = corpus
        random = SplitMix64(seed: seed)
    }

    mutating func next() -> [UInt8] {
        var bytes = corpus.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            mutate(&bytes)
        }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where place < bytes.count:
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count:
            bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2:
            bytes.removeSubrange(place...)
        case 3:
            bytes.insert(.random(in: 0...255, using: &random), at: place)
        case 4:
            bytes += corpus.randomElement(using: &random) ?? []
        default:
            bytes.removeSubrange(place..<min(place + 4, bytes.count))
        }
    }
}
