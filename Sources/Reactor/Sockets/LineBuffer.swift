/// Cuts a byte stream into lines. A line ends with a line feed, which is not part of it.
struct LineBuffer {
    /// The longest line that is accepted, in bytes.
    let limit: Int
    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Bytes that are held.
    var count: Int {
        bytes.count - start
    }

    /// Whether the first line, complete or not, is longer than the limit. Ask when `next()` has returned `nil`.
    var isOverlong: Bool {
        count > limit
    }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 65536)
            start = 0
            searched = 0
        } else if start > 65536 {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next complete line within the limit, or `nil`.
    mutating func next() -> [UInt8]? {
        guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
            searched = bytes.count
            return nil
        }
        guard end - start <= limit else { return nil }
        defer {
            start = end + 1
            searched = start
        }
        return Array(bytes[start..<end])
    }
}
