/// A stream's number: the slot it plays in, and a count that tells it from earlier ones in that slot.
enum StreamNumber {
    static let slotCapacity = 256
    private static let slotBits: Int32 = 8

    static func make(slot: Int, generation: Int) -> Int32 {
        Int32(truncatingIfNeeded: generation & 0x7F_FFFF) << slotBits | Int32(truncatingIfNeeded: slot & 0xFF)
    }

    /// −1 for a number that none was ever given.
    static func slot(of number: Int32) -> Int {
        number < 0 ? -1 : Int(number & 0xFF)
    }
}
