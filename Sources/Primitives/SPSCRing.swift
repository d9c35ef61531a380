import Synchronization

/// A bounded ring between one producer thread and one consumer thread: no lock, no allocation after `init`.
///
/// Each slot holds a fixed header and up to `payloadCapacity` bytes (0 for rings of headers alone). When the ring is
/// full, `push` refuses and counts.
package final class SPSCRing<Header: BitwiseCopyable & Sendable>: @unchecked Sendable {
    // unchecked: slots are written by the producer before `tail` is released and read by the consumer after it is
    // acquired; one thread on each side is the caller's contract.
    private let headers: UnsafeMutablePointer<Header>
    private let lengths: UnsafeMutablePointer<Int>
    private let payloads: UnsafeMutableRawPointer
    private let mask: Int
    /// Bytes that one slot can carry.
    package let payloadCapacity: Int
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)
    private let refused = Atomic<Int>(0)

    /// A ring of at least `capacity` slots (rounded up to a power of two).
    package init(capacity: Int, payloadCapacity: Int = 0) {
        var slots = 1
        while slots < max(capacity, 2) { slots *= 2 }
        mask = slots - 1
        self.payloadCapacity = payloadCapacity
        headers = .allocate(capacity: slots)
        lengths = .allocate(capacity: slots)
        lengths.initialize(repeating: 0, count: slots)
        payloads = .allocate(byteCount: max(slots * payloadCapacity, 1), alignment: 16)
        // Touch every page now, so that the real-time side never faults one in.
        payloads.initializeMemory(as: UInt8.self, repeating: 0, count: max(slots * payloadCapacity, 1))
    }

    deinit {
        headers.deallocate()
        lengths.deallocate()
        payloads.deallocate()
    }

    /// Items refused because the ring was full or the payload too long, since `init`. Any thread.
    package var refusedCount: Int {
        refused.load(ordering: .relaxed)
    }

    /// Items in the ring at this moment. Any thread; exact only on either end's own thread.
    package var count: Int {
        tail.load(ordering: .acquiring) - head.load(ordering: .acquiring)
    }

    /// Producer only: appends a header and its payload. Returns whether it was taken.
    @discardableResult
    package func push(_ header: Header, _ payload: UnsafeRawBufferPointer = .init(start: nil, count: 0)) -> Bool {
        let end = tail.load(ordering: .relaxed)
        guard end - head.load(ordering: .acquiring) <= mask, payload.count <= payloadCapacity else {
            refused.wrappingAdd(1, ordering: .relaxed)
            return false
        }
        let slot = end & mask
        headers.advanced(by: slot).initialize(to: header)
        lengths[slot] = payload.count
        if let base = payload.baseAddress, payload.count > 0 {
            payloads.advanced(by: slot * payloadCapacity).copyMemory(from: base, byteCount: payload.count)
        }
        tail.store(end + 1, ordering: .releasing)
        return true
    }

    /// Consumer only: hands the oldest item to `body`, valid during the call, then frees its slot.
    /// Returns whether there was one.
    @discardableResult
    package func pop(_ body: (Header, UnsafeRawBufferPointer) throws -> Void) rethrows -> Bool {
        let start = head.load(ordering: .relaxed)
        guard start != tail.load(ordering: .acquiring) else { return false }
        let slot = start & mask
        defer { head.store(start + 1, ordering: .releasing) }
        let bytes = UnsafeRawBufferPointer(
            start: payloads.advanced(by: slot * payloadCapacity), count: lengths[slot])
        try body(headers[slot], bytes)
        return true
    }

    /// Consumer only: the oldest header, or `nil` when the ring is empty.
    package func pop() -> Header? {
        var item: Header?
        pop { header, _ in item = header }
        return item
    }
}
