package import Primitives

/// The payload descriptor of VP8 (RFC 7741, section 4.2).
package struct VP8Descriptor: Hashable, Sendable, BitwiseCopyable {
    /// The frame may be left out without harm to others.
    package var isNonReference = false
    /// The payload begins with the beginning of a partition.
    package var startsPartition = false
    /// The partition that the payload begins in, 0…7.
    package var partition: UInt8 = 0
    package var pictureID: PictureID?
    /// Counts the frames of the base layer; stands with a temporal layer only (section 4.2, L).
    package var baseIndex: UInt8?
    /// 0…3; 0 is the base layer.
    package var temporalLayer: UInt8?
    /// The frame depends on the base layer alone.
    package var isLayerSync = false
    /// Counts key frames, 0…31.
    package var keyIndex: UInt8?

    package init() {}

    /// Reads the descriptor and moves past it; `nil`: it is truncated.
    package init?(_ payload: RawSpan, at offset: inout Int) {
        do throws(ByteError) {
            try self.init(reading: payload, at: &offset)
        } catch {
            return nil
        }
    }

    private init(reading payload: RawSpan, at offset: inout Int) throws(ByteError) {
        let first = try payload.readUInt8(at: &offset)
        isNonReference = first & 0x20 != 0
        startsPartition = first & 0x10 != 0
        partition = first & 7
        guard first & 0x80 != 0 else { return }
        let present = try payload.readUInt8(at: &offset)
        if present & 0x80 != 0 { pictureID = try PictureID(payload, at: &offset) }
        if present & 0x40 != 0 { baseIndex = try payload.readUInt8(at: &offset) }
        guard present & 0x30 != 0 else { return }
        let layers = try payload.readUInt8(at: &offset)
        if present & 0x20 != 0 {
            temporalLayer = layers >> 6
            isLayerSync = layers & 0x20 != 0
        }
        if present & 0x10 != 0 { keyIndex = layers & 0x1F }
    }

    package func write(into writer: inout ByteWriter) {
        let present: UInt8 =
            (pictureID == nil ? 0 : 0x80) | (baseIndex == nil ? 0 : 0x40) | (temporalLayer == nil ? 0 : 0x20)
            | (keyIndex == nil ? 0 : 0x10)
        let flags: UInt8 = (isNonReference ? 0x20 : 0) | (startsPartition ? 0x10 : 0) | partition & 7
        writer.write(flags | (present == 0 ? 0 : 0x80))
        guard present != 0 else { return }
        writer.write(present)
        pictureID?.write(into: &writer)
        if let baseIndex { writer.write(baseIndex) }
        guard present & 0x30 != 0 else { return }
        let layer = (temporalLayer ?? 0) << 6 | (temporalLayer != nil && isLayerSync ? 0x20 : 0)
        writer.write(layer | (keyIndex ?? 0) & 0x1F)
    }
}

extension PictureID {
    /// Reads 7 bits behind a 0 or 15 bits behind a 1, as both payload formats write it.
    init(_ payload: RawSpan, at offset: inout Int) throws(ByteError) {
        let first = try payload.readUInt8(at: &offset)
        guard first & 0x80 != 0 else {
            self.init(short: first)
            return
        }
        let second = try payload.readUInt8(at: &offset)
        self.init(UInt16(first & 0x7F) << 8 | UInt16(second))
    }

    func write(into writer: inout ByteWriter) {
        if isLong {
            writer.write(value | 0x8000)
        } else {
            writer.write(UInt8(truncatingIfNeeded: value & 0x7F))
        }
    }
}
