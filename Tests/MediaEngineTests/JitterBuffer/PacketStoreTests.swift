import Testing

@testable import MediaEngine

@Suite struct PacketStoreTests {
    private func entry(_ sequence: Int) -> PacketStore.Entry {
        PacketStore.Entry(
            place: .init(sequence: sequence, mediaTime: sequence * 960), arrival: 0, sampleCount: 960, decoder: 0,
            marker: false, hasRedundancy: false)
    }

    private func insert(
        _ sequence: Int, _ payload: [UInt8] = [], into store: inout PacketStore
    ) -> PacketStore.Insertion {
        payload.withUnsafeBytes { store.insert(entry(sequence), payload: $0) }
    }

    private func expect(
        _ insertion: PacketStore.Insertion, _ expected: PacketStore.Insertion,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(insertion == expected, sourceLocation: location)
    }

    @Test func packetsComeOutInOrderWithTheirPayloads() {
        var store = PacketStore()
        for sequence in [5, 3, 9, 4] { expect(insert(sequence, [UInt8(sequence), 7], into: &store), .stored) }
        var order: [Int] = []
        while let first = store.first {
            order.append(first.place.sequence)
            let payload = Array(store.payload(of: first))
            #expect(payload == [UInt8(first.place.sequence), 7])
            store.removeFirst()
        }
        #expect(order == [3, 4, 5, 9])
    }

    @Test func aDuplicateIsRefusedEvenAfterItsPacketHasLeft() {
        var store = PacketStore()
        expect(insert(1, into: &store), .stored)
        expect(insert(1, into: &store), .duplicate)
        store.removeFirst()
        expect(insert(1, into: &store), .duplicate)
        let count = store.count
        #expect(count == 0)
    }

    @Test func overflowDropsTheOldest() {
        var store = PacketStore()
        for sequence in 0..<PacketStore.capacity { expect(insert(sequence, into: &store), .stored) }
        expect(insert(1000, into: &store), .storedDroppingOldest)
        let first = store.first?.place.sequence
        let count = store.count
        #expect(first == 1)
        #expect(count == PacketStore.capacity)
        expect(insert(-400, into: &store), .refused)
    }

    @Test func slotsAreUsedAgainForEver() {
        var store = PacketStore()
        for sequence in 0..<5000 {
            expect(insert(sequence, [UInt8(sequence & 0xFF)], into: &store), .stored)
            if sequence % 3 != 0 || store.count > 50 { store.removeFirst() }
            if store.count > 50 { store.removeFirst() }
        }
        let remaining = store.first.map { ($0.place.sequence, store.payload(of: $0).first) }
        if let remaining { #expect(remaining.1 == UInt8(remaining.0 & 0xFF)) }
        store.removeAll()
        let count = store.count
        #expect(count == 0)
        expect(insert(3, into: &store), .stored)
    }

    @Test func aPayloadLongerThanASlotIsRefused() {
        var store = PacketStore()
        expect(insert(1, [UInt8](repeating: 0, count: 1276), into: &store), .refused)
        expect(insert(2, [UInt8](repeating: 0, count: 1275), into: &store), .stored)
    }

    @Test func theWindowOfSeenNumbersMovesOn() {
        var window = SequenceWindow()
        let isNew = (0..<1000).map { window.insert($0) }
        #expect(isNew == [Bool](repeating: true, count: 1000))
        let later = [999, 800, 1300, 1299, 1299].map { window.insert($0) }
        #expect(later == [false, false, true, true, false])
    }
}
