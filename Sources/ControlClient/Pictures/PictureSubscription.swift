package import ControlProtocol
import Glibc
package import Primitives

/// The console's side of shared pictures: copies the newest ones out of the core's memory. For one thread.
package struct PictureSubscription: ~Copyable {
    package let wishes: [VideoWish]
    private let layout: PictureLayout
    private let memory: PictureMemory
    private let doorbell: Int32
    private var taken: [UInt64]

    /// Takes over the descriptors that came with the answer of `video.show`; they are closed also when this throws.
    package init(_ wishes: [VideoWish], descriptors: [Int32]) throws(ClientError) {
        guard descriptors.count == 2 else {
            for descriptor in descriptors { close(descriptor) }
            throw .pictures("the core sent no shared memory")
        }
        let layout = PictureLayout(wishes)
        defer { close(descriptors[0]) }
        let memory: PictureMemory
        do throws(ClientError) {
            memory = try Self.map(descriptors[0], layout)
        } catch {
            close(descriptors[1])
            throw error
        }
        self.wishes = wishes
        self.layout = layout
        self.memory = memory
        doorbell = descriptors[1]
        taken = Array(repeating: 0, count: wishes.count)
    }

    private static func map(_ descriptor: Int32, _ layout: PictureLayout) throws(ClientError) -> PictureMemory {
        let memory = try PictureMemory(descriptor: descriptor, byteCount: layout.byteCount, isWritable: false)
        guard memory.load(0) == PictureLayout.magic, memory.load(8) == UInt64(layout.pictures.count) else {
            throw .pictures("the shared memory is of another version")
        }
        return memory
    }

    deinit {
        close(doorbell)
    }

    /// For `poll`: readable when a picture came since `quiet`.
    package var descriptor: Int32 { doorbell }

    /// Hears the doorbell, so that it can ring again.
    package func quiet() {
        var count: UInt64 = 0
        read(doorbell, &count, 8)
    }

    /// Copies the newest picture of wish `index` into `picture`, unless it was taken before. Returns the size that it had
    /// before it was scaled; `nil`: there is no new one.
    package mutating func take(_ index: Int, into picture: inout RGBPicture) -> (width: Int, height: Int)? {
        guard layout.pictures.indices.contains(index) else { return nil }
        let place = layout.pictures[index]
        // The core is two pictures ahead of a copy at the most, or the newest one is taken instead.
        for _ in 0..<3 {
            let number = memory.load(place.newest)
            guard number > taken[index] else { return nil }
            let buffer = Int(number % UInt64(PictureLayout.bufferCount))
            guard memory.load(place.buffers[buffer]) == number else { continue }
            picture.resize(width: place.width, height: place.height)
            picture.withMutableBytes { memory.copy(from: place.bytes(buffer), to: $0) }
            let source = (
                Int(clamping: memory.load(place.sourceWidth(buffer))),
                Int(clamping: memory.load(place.sourceHeight(buffer)))
            )
            guard memory.load(place.buffers[buffer]) == number else { continue }
            taken[index] = number
            return source
        }
        return nil
    }
}
