/// Which of the newest 256 sequence numbers were received.
struct SequenceWindow: Sendable {
    private static let width = 256

    private var newest: Int?
    private var bits: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

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
            bits = (0, 0, 0, 0)
            return
        }
        for sequence in (old &+ 1)...new { update(sequence) { word, mask in word &= ~mask } }
    }

    private func contains(_ sequence: Int) -> Bool {
        let mask = UInt64(1) << UInt64(truncatingIfNeeded: sequence & 63)
        switch (sequence >> 6) & 3 {
        case 0: return bits.0 & mask != 0
        case 1: return bits.1 & mask != 0
        case 2: return bits.2 & mask != 0
        default: return bits.3 & mask != 0
        }
    }

    private mutating func set(_ sequence: Int) {
        update(sequence) { word, mask in word |= mask }
    }

    private mutating func update(_ sequence: Int, _ change: (inout UInt64, UInt64) -> Void) {
        let mask = UInt64(1) << UInt64(truncatingIfNeeded: sequence & 63)
        switch (sequence >> 6) & 3 {
        case 0: change(&bits.0, mask)
        case 1: change(&bits.1, mask)
        case 2: change(&bits.2, mask)
        default: change(&bits.3, mask)
        }
    }
}
