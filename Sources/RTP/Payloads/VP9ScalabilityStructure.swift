import Primitives

/// What a stream's layers look like (RFC 9628, section 4.2.1); sent with key frames.
package struct VP9ScalabilityStructure: Hashable, Sendable {
    /// One picture of the group that repeats.
    package struct Picture: Hashable, Sendable {
        package var temporalLayer: UInt8
        package var isSwitchingPoint: Bool
        /// How many pictures before this one those are that it depends on; at most three.
        package var references: [UInt8]
    }

    /// Pixels of one spatial layer.
    package struct Size: Hashable, Sendable, BitwiseCopyable {
        package var width: UInt16
        package var height: UInt16

        package init(width: UInt16, height: UInt16) {
            self.width = width
            self.height = height
        }
    }

    /// 1…8.
    package var spatialLayerCount = 1
    /// The size of each spatial layer, smallest first; empty: not said.
    package var sizes: [Size] = []
    /// `nil`: not said.
    package var group: [Picture]?

    /// One spatial layer.
    package init(width: UInt16, height: UInt16) {
        sizes = [Size(width: width, height: height)]
    }

    init(_ payload: RawSpan, at offset: inout Int) throws(ByteError) {
        let first = try payload.readUInt8(at: &offset)
        spatialLayerCount = Int(first >> 5) + 1
        if first & 0x10 != 0 {
            for _ in 0..<spatialLayerCount {
                let width = try payload.readUInt16(at: &offset)
                sizes.append(Size(width: width, height: try payload.readUInt16(at: &offset)))
            }
        }
        if first & 0x08 != 0 {
            var pictures: [Picture] = []
            for _ in 0..<(try payload.readUInt8(at: &offset)) {
                pictures.append(try Picture(payload, at: &offset))
            }
            group = pictures
        }
    }

    func write(into writer: inout ByteWriter) {
        let count = spatialLayerCount.clamped(to: 1...8)
        let hasSizes = sizes.count == count
        writer.write(UInt8(count - 1) << 5 | (hasSizes ? 0x10 : 0) | (group == nil ? 0 : 0x08))
        if hasSizes {
            for size in sizes {
                writer.write(size.width)
                writer.write(size.height)
            }
        }
        guard let group = group?.prefix(255) else { return }
        writer.write(UInt8(group.count))
        for picture in group {
            picture.write(into: &writer)
        }
    }
}

extension VP9ScalabilityStructure.Picture {
    fileprivate init(_ payload: RawSpan, at offset: inout Int) throws(ByteError) {
        let first = try payload.readUInt8(at: &offset)
        temporalLayer = first >> 5
        isSwitchingPoint = first & 0x10 != 0
        references = try payload.readBytes(Int(first >> 2 & 3), at: &offset)
    }

    fileprivate func write(into writer: inout ByteWriter) {
        let written = references.prefix(3)
        writer.write(temporalLayer << 5 | (isSwitchingPoint ? 0x10 : 0) | UInt8(written.count) << 2)
        writer.write(written)
    }
}
