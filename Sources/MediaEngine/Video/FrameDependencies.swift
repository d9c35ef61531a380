internal import RTP

/// Tells which frames can be decoded, by what their descriptors say and what was decoded before.
struct FrameDependencies: Sendable {
    private struct Last: Sendable {
        var sequence: Int64
        var picture: PictureID?
        var baseIndex: UInt8?
    }

    /// Pictures that a frame may refer to: its descriptor reaches 127 back.
    private static let memory = 128
    private static let maximumPaddingCount = 256

    private var last: Last?
    /// The last packet of the last decoded frame before the dependencies were forgotten: nothing older may follow.
    private var floor: Int64?
    private var decoded: [PictureID] = []
    /// Packets without payload, behind the last decoded frame.
    private var padding: Set<Int64> = []

    /// Whether nothing but a key frame can be decoded.
    var needsKeyFrame: Bool {
        last == nil
    }

    /// The last packet of the last decoded frame.
    var lastSequence: Int64? {
        last?.sequence ?? floor
    }

    func canDecode(_ frame: AssembledFrame) -> Bool {
        let payload = frame.payload
        guard !payload.isKeyFrame else { return true }
        guard let last else { return false }
        if let references = payload.references, let picture = payload.pictureID {
            return references.allSatisfy { decoded.contains(picture + -Int($0)) }
        }
        guard let layer = payload.temporalLayer, let baseIndex = payload.baseIndex, let lastBase = last.baseIndex else {
            return isNext(frame, after: last)
        }
        if layer == 0 { return baseIndex &- lastBase == 1 }
        return baseIndex == lastBase && (payload.isLayerSync || isNext(frame, after: last))
    }

    /// The frame is decoded, or left out where that harms no other.
    mutating func advance(past frame: AssembledFrame, isDecoded: Bool) {
        let payload = frame.payload
        if payload.isKeyFrame { decoded.removeAll() }
        if isDecoded, let picture = payload.pictureID {
            decoded.append(picture)
            if decoded.count > Self.memory { decoded.removeFirst() }
        }
        last = Last(
            sequence: frame.sequences.upperBound, picture: payload.pictureID,
            baseIndex: payload.baseIndex ?? last?.baseIndex)
        if payload.isKeyFrame { last?.baseIndex = payload.baseIndex }
        padding = padding.filter { $0 > frame.sequences.upperBound }
    }

    /// A packet came that belongs to no frame.
    mutating func receivePadding(_ sequence: Int64) {
        guard padding.count < Self.maximumPaddingCount else { return }
        padding.insert(sequence)
    }

    /// Only a key frame can be decoded from now on.
    mutating func reset() {
        let newest = lastSequence
        self = FrameDependencies()
        floor = newest
    }

    private func isNext(_ frame: AssembledFrame, after last: Last) -> Bool {
        if let picture = frame.payload.pictureID, let before = last.picture, picture.isLong == before.isLong {
            return picture.distance(from: before) == 1
        }
        let first = frame.sequences.lowerBound
        guard first > last.sequence, first - last.sequence <= Int64(Self.maximumPaddingCount) else { return false }
        return (last.sequence + 1..<first).allSatisfy(padding.contains)
    }
}
