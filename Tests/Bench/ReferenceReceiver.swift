import Codecs
import MediaEngine
import Primitives

/// What libopus gives when it is told of each loss and always has the packets after it.
struct ReferenceReceiver {
    private let decoder: OpusDecoder
    /// Lost packets decoded from redundancy, or from a copy.
    private(set) var repairedCount = 0
    private var frame = [Float](repeating: 0, count: 960)

    init() throws {
        decoder = try OpusDecoder()
    }

    mutating func receive(_ packets: [SoundPacket], through link: inout LossyLink) -> [Float] {
        var frames = [[UInt8]](repeating: [], count: packets.count)
        for (index, packet) in packets.enumerated() where survives(packet, link: &link) {
            let (own, copies) = packet.payloads
            frames[index] = own
            for (offset, copy) in copies where frames[index - offset / 960].isEmpty {
                frames[index - offset / 960] = copy
                repairedCount += 1
            }
        }
        var sound: [Float] = []
        for index in frames.indices {
            play(frames[index], followedBy: index + 1 < frames.count ? frames[index + 1] : [])
            sound += frame
        }
        return sound
    }

    private func survives(_ packet: SoundPacket, link: inout LossyLink) -> Bool {
        let lost = link.lostCount
        link.enqueue(packet.bytes, at: .zero)
        return link.lostCount == lost
    }

    private mutating func play(_ payload: [UInt8], followedBy next: [UInt8]) {
        frame.withUnsafeMutableBufferPointer { frame in
            if !payload.isEmpty {
                _ = payload.withUnsafeBytes { decoder.decode($0, into: frame) }
            } else if next.withUnsafeBytes({ decoder.decodeRedundancy(in: $0, into: frame) }) > 0 {
                repairedCount += 1
            } else {
                _ = decoder.conceal(into: frame)
            }
        }
    }
}
