import Codecs
import MediaEngine
import Primitives

/// What libopus gives when it is told of each loss and always has the packet after it.
struct ReferenceReceiver {
    private let decoder: OpusDecoder
    /// Lost packets decoded from redundancy.
    private(set) var repairedCount = 0
    private var frame = [Float](repeating: 0, count: 960)

    init() throws {
        decoder = try OpusDecoder()
    }

    mutating func receive(_ packets: [[UInt8]], through link: inout LossyLink) -> [Float] {
        let received = packets.map { packet -> [UInt8] in
            let lost = link.lostCount
            link.enqueue(packet, at: .zero)
            return link.lostCount == lost ? packet : []
        }
        var sound: [Float] = []
        for index in received.indices {
            play(received[index], followedBy: index + 1 < received.count ? received[index + 1] : [])
            sound += frame
        }
        return sound
    }

    private mutating func play(_ packet: [UInt8], followedBy next: [UInt8]) {
        frame.withUnsafeMutableBufferPointer { frame in
            if !packet.isEmpty {
                _ = packet.withUnsafeBytes { decoder.decode($0, into: frame) }
            } else if next.withUnsafeBytes({ decoder.decodeRedundancy(in: $0, into: frame) }) > 0 {
                repairedCount += 1
            } else {
                _ = decoder.conceal(into: frame)
            }
        }
    }
}
