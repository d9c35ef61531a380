/// Which of the newest 256 sequence numbers were received.
struct SequenceWindow: Sendable {
    private static let width = 256

    private var newest: Int?
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Notes `sequence`. Returns whether it is new; what is older than the window counts as new.
    mutating func insert(_ sequence: Int) -> Bool {
        guard let newest else {
            self.newest = sequence
            set(sequence)
            return true
        }
        if sequence > newest {
            clear(after: newest, through: sequence)
            self.newest = sequence
        } else if newest &- sequence >= Self.width {
            return true
        } else if contains(sequence) {
            return false
        }
        set(sequence)
        return true
    }

    private mutating func clear(after old: Int, through new: Int) {
        guard new &- old < Self.width else {
            words = (0, 0, 0, 0)
            return
        }
        for sequence in (old &+ 1)...new { self[word: sequence] &= ~mask(sequence) }
    }

    private func contains(_ sequence: Int) -> Bool {
        self[word: sequence] & mask(sequence) != 0
    }

    private mutating func set(_ sequence: Int) {
        self[word: sequence] |= mask(sequence)
    }

    private func mask(_ sequence: Int) -> UInt64 {
        1 << UInt64(truncatingIfNeeded: sequence & 63)
    }

    /// The 64 bits that `sequence` is among.
    private subscript(word sequence: Int) -> UInt64 {
        get {
            switch (sequence >> 6) & 3 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        }
        set {
            switch (sequence >> 6) & 3 {
            case 0: words.0 = newValue
            case 1: words.1 = newValue
            case 2: words.2 = newValue
            default: words.3 = newValue
            }
        }
    }
}
