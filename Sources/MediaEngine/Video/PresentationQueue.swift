package import Primitives

/// Decoded pictures that wait for their time: few, and of those that are due only the newest is shown.
package struct PresentationQueue<Picture: Sendable>: Sendable {
    package static var capacity: Int { 8 }

    /// Pictures that gave way to a newer one.
    package private(set) var droppedCount = 0
    private var waiting: [(picture: Picture, time: MonoTime)] = []

    package init() {}

    /// Takes a picture to be shown at `time`. The oldest gives way when there are too many.
    package mutating func insert(_ picture: Picture, showAt time: MonoTime) {
        if waiting.count >= Self.capacity {
            waiting.removeFirst()
            droppedCount += 1
        }
        let place = waiting.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        waiting.insert((picture, time), at: place)
    }

    /// When `next` has a picture; `nil`: none waits.
    package var deadline: MonoTime? {
        waiting.first?.time
    }

    /// The picture to show now; `nil`: none is due.
    package mutating func next(at now: MonoTime) -> Picture? {
        guard let index = waiting.lastIndex(where: { $0.time <= now }) else { return nil }
        let picture = waiting[index].picture
        droppedCount += index
        waiting.removeFirst(index + 1)
        return picture
    }

    package mutating func removeAll() {
        waiting.removeAll()
    }
}
