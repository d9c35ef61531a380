/// How pictures lie in the memory that the core shares with a console.
///
/// Both sides work the layout out of the wishes of `video.show`. Of each picture there are three buffers, used in turn,
/// so that a reader has two pictures' time for its copy. All numbers are 64 bits, little-endian, and begin on a multiple
/// of 64 bytes where they are not told to follow another:
///
/// - `magic`, then the number of pictures;
/// - for each picture: the number of the newest whole one (from 1; 0: none yet), then for each of the buffers: the number
///   of the picture in it (0 while it is being written), its source's width and height in pixels, and from the next
///   multiple of 64 on its bytes (red, green, blue, row by row).
///
/// Picture n lies in buffer n modulo 3. A copy is whole if the buffer has the same number before and after.
package struct PictureLayout: Hashable, Sendable {
    /// `hootpic` and the layout's version.
    package static let magic: UInt64 = 0x0163_6970_746F_6F68
    package static let bufferCount = 3
    private static let line = 64

    /// One picture's place.
    package struct Picture: Hashable, Sendable {
        package let width: Int
        package let height: Int
        /// Where the number of the newest one stands.
        package let newest: Int
        /// Where the buffers' numbers stand.
        package let buffers: [Int]

        /// Bytes of a picture.
        package var byteCount: Int { width * height * 3 }
        /// Of a buffer: where width and height of the source stand, and where the bytes begin.
        package func sourceWidth(_ buffer: Int) -> Int { buffers[buffer] + 8 }
        package func sourceHeight(_ buffer: Int) -> Int { buffers[buffer] + 16 }
        package func bytes(_ buffer: Int) -> Int { buffers[buffer] + PictureLayout.line }
    }

    package let pictures: [Picture]
    /// Of the whole memory.
    package let byteCount: Int

    package init(_ wishes: [VideoWish]) {
        var at = Self.line
        pictures = wishes.map { wish in
            let newest = at
            at += Self.line
            let size = (wish.width * wish.height * 3 + Self.line - 1) / Self.line * Self.line
            let buffers = (0..<Self.bufferCount).map { newest + Self.line + $0 * (Self.line + size) }
            at += Self.bufferCount * (Self.line + size)
            return Picture(width: wish.width, height: wish.height, newest: newest, buffers: buffers)
        }
        byteCount = at
    }
}
