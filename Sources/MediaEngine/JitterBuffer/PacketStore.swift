/// Received packets in order of their sequence, in slots made beforehand. It never decodes.
struct PacketStore: ~Copyable {
    /// What is known of a stored packet beside its payload.
    struct Entry: Sendable, BitwiseCopyable {
        var place: StreamTimeline.Place
        /// In samples.
        var arrival: Int
        /// Samples at 48 kHz that the payload carries.
        var sampleCount: Int
        /// Index of the decoder.
        var decoder: Int
        var marker: Bool
        var hasRedundancy: Bool

        fileprivate(set) var slot = 0
        fileprivate(set) var byteCount = 0

        init(
            place: StreamTimeline.Place, arrival: Int, sampleCount: Int, decoder: Int, marker: Bool,
            hasRedundancy: Bool
        ) {
            self.place = place
            self.arrival = arrival
            self.sampleCount = sampleCount
            self.decoder = decoder
            self.marker = marker
            self.hasRedundancy = hasRedundancy
        }
    }

    enum Insertion: Hashable, Sendable {
        case stored
        /// Stored at the price of the oldest packet.
        case storedDroppingOldest
        /// A packet of the same sequence is or was here.
        case duplicate
        /// The store is full of newer packets, or the payload is longer than a slot.
        case refused
    }

    /// 4 s of packets of 20 ms.
    static let capacity = 200
    private static let slotByteCount = AudioFormat.maximumPayloadByteCount

    private let bytes: UnsafeMutableRawBufferPointer
    private let entries: UnsafeMutableBufferPointer<Entry>
    private let freeSlots: UnsafeMutableBufferPointer<Int>
    private var freeCount = PacketStore.capacity
    private var seen = SequenceWindow()
    private(set) var count = 0

    init() {
        bytes = .allocate(byteCount: Self.capacity * Self.slotByteCount, alignment: 16)
        entries = .allocate(capacity: Self.capacity)
        freeSlots = .allocate(capacity: Self.capacity)
        for slot in 0..<Self.capacity { freeSlots.initializeElement(at: slot, to: slot) }
    }

    deinit {
        bytes.deallocate()
        entries.deallocate()
        freeSlots.deallocate()
    }

    /// The packet of the lowest sequence.
    var first: Entry? {
        count > 0 ? entries[0] : nil
    }

    /// Notes a packet that is not stored because it came too late. Returns whether it is the first of its sequence.
    mutating func noteSeen(_ sequence: Int) -> Bool {
        seen.insert(sequence)
    }

    /// The payload of a stored packet: valid until the next call that changes the store.
    func payload(of entry: Entry) -> UnsafeRawBufferPointer {
        let start = entry.slot * Self.slotByteCount
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + entry.byteCount])
    }

    mutating func insert(_ entry: Entry, payload: UnsafeRawBufferPointer) -> Insertion {
        guard payload.count <= Self.slotByteCount else { return .refused }
        guard seen.insert(entry.place.sequence) else { return .duplicate }
        var insertion = Insertion.stored
        if count == Self.capacity {
            guard entry.place.sequence > entries[0].place.sequence else { return .refused }
            removeFirst()
            insertion = .storedDroppingOldest
        }
        freeCount -= 1
        var entry = entry
        entry.slot = freeSlots[freeCount]
        entry.byteCount = payload.count
        if let source = payload.baseAddress, payload.count > 0 {
            bytes.baseAddress?.advanced(by: entry.slot * Self.slotByteCount)
                .copyMemory(from: source, byteCount: payload.count)
        }
        place(entry)
        return insertion
    }

    /// Moves newer packets up and puts `entry` before them; most packets are the newest.
    private mutating func place(_ entry: Entry) {
        var index = count
        while index > 0, entries[index - 1].place.sequence > entry.place.sequence {
            entries[index] = entries[index - 1]
            index -= 1
        }
        entries.initializeElement(at: index, to: entry)
        count += 1
    }

    mutating func removeFirst() {
        guard count > 0 else { return }
        freeSlots[freeCount] = entries[0].slot
        freeCount += 1
        count -= 1
        for index in 0..<count { entries[index] = entries[index + 1] }
    }

    /// Forgets all packets and which ones were seen.
    mutating func removeAll() {
        while count > 0 {
            count -= 1
            freeSlots[freeCount] = entries[count].slot
            freeCount += 1
        }
        seen = SequenceWindow()
    }
}
