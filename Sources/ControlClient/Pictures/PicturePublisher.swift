import CLinux
package import ControlProtocol
import Glibc
package import Primitives

/// The core's side of shared pictures: makes the memory and puts pictures into it. For one thread.
package struct PicturePublisher: ~Copyable {
    private let layout: PictureLayout
    private let memory: PictureMemory
    private let readable: Int32
    private let doorbell: Int32
    private var published: [UInt64]

    /// Makes memory for what a console wishes.
    package init(_ wishes: [VideoWish]) throws(ClientError) {
        let layout = PictureLayout(wishes)
        let descriptor = clinux_sealed_memory(layout.byteCount)
        guard descriptor >= 0 else { throw .pictures("there is no memory to share: \(describe(errno))") }
        defer { close(descriptor) }
        let memory = try PictureMemory(descriptor: descriptor, byteCount: layout.byteCount, isWritable: true)
        memory.store(UInt64(wishes.count), at: 8)
        memory.store(PictureLayout.magic, at: 0)
        // Who reads gets a descriptor that cannot be written through.
        let readable = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        let doorbell = clinux_eventfd()
        guard readable >= 0, doorbell >= 0 else {
            let why = describe(errno)
            for opened in [readable, doorbell] where opened >= 0 { close(opened) }
            throw .pictures("the memory cannot be shared: \(why)")
        }
        self.layout = layout
        self.memory = memory
        self.readable = readable
        self.doorbell = doorbell
        published = Array(repeating: 0, count: wishes.count)
    }

    deinit {
        close(readable)
        close(doorbell)
    }

    /// To be sent with the answer of `video.show`, in this order: the memory, for reading, and an eventfd that becomes
    /// readable with each picture. They stay this value's.
    package var descriptors: [Int32] { [readable, doorbell] }

    /// Puts `picture` in as the newest of wish `index`. One of another size than was wished is passed over.
    ///
    /// - Parameter source: the picture's size before it was scaled, which decides its shape on the screen.
    package mutating func publish(_ picture: RGBPicture, at index: Int, source: (width: Int, height: Int)) {
        guard layout.pictures.indices.contains(index) else { return }
        let place = layout.pictures[index]
        guard (picture.width, picture.height) == (place.width, place.height) else { return }
        let number = published[index] + 1
        let buffer = Int(number % UInt64(PictureLayout.bufferCount))
        memory.store(0, at: place.buffers[buffer])
        picture.bytes.withUnsafeBytes { memory.copy($0, to: place.bytes(buffer)) }
        memory.store(UInt64(source.width), at: place.sourceWidth(buffer))
        memory.store(UInt64(source.height), at: place.sourceHeight(buffer))
        memory.store(number, at: place.buffers[buffer])
        memory.store(number, at: place.newest)
        published[index] = number
        var one: UInt64 = 1
        write(doorbell, &one, 8)
    }
}
