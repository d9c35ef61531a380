/// A picture of 8 bits a channel: red, green and blue, pixel by pixel and row by row, without padding.
package struct RGBPicture: Hashable, Sendable {
    package private(set) var width: Int
    package private(set) var height: Int
    /// `width * height * 3` of them.
    package private(set) var bytes: [UInt8]

    /// A black picture.
    package init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
        bytes = [UInt8](repeating: 0, count: self.width * self.height * 3)
    }

    /// Gives the picture another size; what it shows then is undefined. Storage is kept where it suffices.
    package mutating func resize(width: Int, height: Int) {
        guard width != self.width || height != self.height else { return }
        (self.width, self.height) = (max(0, width), max(0, height))
        let count = self.width * self.height * 3
        if bytes.count > count { bytes.removeLast(bytes.count - count) }
        if bytes.count < count { bytes.append(contentsOf: repeatElement(0, count: count - bytes.count)) }
    }

    /// Lends the bytes for writing; their count stays.
    package mutating func withMutableBytes<Result>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeMutableBufferPointer { body($0) }
    }
}
