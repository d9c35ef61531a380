package import Primitives

/// The payload descriptor of VP9 (RFC 9628, section 4.2).
package struct VP9Descriptor: Hashable, Sendable {
    /// Which layers the frame belongs to.
    package struct Layer: Hashable, Sendable, BitwiseCopyable {
        /// 0…7; 0 is the base layer.
        package var temporal: UInt8 = 0
        /// 0…7; 0 is the smallest size.
        package var spatial: UInt8 = 0
        /// The frame depends on lower temporal layers alone.
        package var isSwitchingPoint = false
        /// The frame depends on the smaller one of the same picture.
        package var usesLowerSpatial = false
        /// Counts the pictures of the base layer; in the non-flexible mode only.
        package var baseIndex: UInt8?

        package init() {}
    }

    package var pictureID: PictureID?
    /// The frame depends on earlier pictures.
    package var isInterPredicted = false
    package var layer: Layer?
    /// Each frame says on what it depends; otherwise a structure sent before does.
    package var isFlexible = false
    package var beginsFrame = false
    package var endsFrame = false
    /// Larger frames of the same picture do not depend on this one.
    package var isNotReferenceForSpatial = false
    /// How many pictures before this one those are that it depends on, 1…127, at most three; in the flexible mode only.
    package var references: [UInt8] = []
    package var structure: VP9ScalabilityStructure?

    package init() {}

    /// Reads the descriptor and moves past it; `nil`: it is truncated, or it has more references than it may.
    package init?(_ payload: RawSpan, at offset: inout Int) {
        guard (try? read(payload, at: &offset)) == true else { return nil }
    }

    /// `false`: too many references.
    private mutating func read(_ payload: RawSpan, at offset: inout Int) throws(ByteError) -> Bool {
        let first = try payload.readUInt8(at: &offset)
        isInterPredicted = first & 0x40 != 0
        isFlexible = first & 0x10 != 0
        beginsFrame = first & 0x08 != 0
        endsFrame = first & 0x04 != 0
        isNotReferenceForSpatial = first & 0x01 != 0
        if first & 0x80 != 0 { pictureID = try PictureID(payload, at: &offset) }
        if first & 0x20 != 0 { layer = try Layer(payload, at: &offset, isFlexible: isFlexible) }
        var hasMore = isFlexible && isInterPredicted
        while hasMore {
            guard references.count < 3 else { return false }
            let byte = try payload.readUInt8(at: &offset)
            references.append(byte >> 1)
            hasMore = byte & 1 != 0
        }
        if first & 0x02 != 0 { structure = try VP9ScalabilityStructure(payload, at: &offset) }
        return true
    }

    package func write(into writer: inout ByteWriter) {
        let presence: UInt8 = (pictureID == nil ? 0 : 0x80) | (layer == nil ? 0 : 0x20) | (structure == nil ? 0 : 0x02)
        let mode: UInt8 =
            (isInterPredicted ? 0x40 : 0) | (isFlexible ? 0x10 : 0) | (isNotReferenceForSpatial ? 0x01 : 0)
        writer.write(presence | mode | (beginsFrame ? 0x08 : 0) | (endsFrame ? 0x04 : 0))
        pictureID?.write(into: &writer)
        layer?.write(into: &writer, isFlexible: isFlexible)
        if isFlexible, isInterPredicted {
            // One at least: the mode has no way to say that there is none.
            let written = references.isEmpty ? [1] : references.prefix(3)
            for (index, reference) in written.enumerated() {
                writer.write(reference << 1 | (index + 1 < written.count ? 1 : 0))
            }
        }
        structure?.write(into: &writer)
    }
}

extension VP9Descriptor.Layer {
    fileprivate init(_ payload: RawSpan, at offset: inout Int, isFlexible: Bool) throws(ByteError) {
        let byte = try payload.readUInt8(at: &offset)
        temporal = byte >> 5
        isSwitchingPoint = byte & 0x10 != 0
        spatial = byte >> 1 & 7
        usesLowerSpatial = byte & 1 != 0
        if !isFlexible { baseIndex = try payload.readUInt8(at: &offset) }
    }

    fileprivate func write(into writer: inout ByteWriter, isFlexible: Bool) {
        let flags: UInt8 = (isSwitchingPoint ? 0x10 : 0) | (usesLowerSpatial ? 1 : 0)
        writer.write(temporal << 5 | flags | (spatial & 7) << 1)
        if !isFlexible { writer.write(baseIndex ?? 0) }
    }
}
