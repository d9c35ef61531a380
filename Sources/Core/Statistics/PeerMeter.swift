import MediaEngine
import Primitives

/// Rates of one peer's two streams, from their counters at two moments.
struct PeerMeter {
    private(set) var sentBitsPerSecond = 0.0
    private(set) var receivedBitsPerSecond = 0.0
    private(set) var transportSentBitsPerSecond = 0.0
    private(set) var transportReceivedBitsPerSecond = 0.0
    private var last: (sent: UInt64, received: UInt64, transportSent: UInt64, transportReceived: UInt64, at: MonoTime)?

    mutating func measure(
        sent: UInt64, received: UInt64, transportSent: UInt64, transportReceived: UInt64, at now: MonoTime
    ) {
        defer { last = (sent, received, transportSent, transportReceived, now) }
        guard let last, now > last.at else { return }
        let seconds = (now - last.at).seconds
        sentBitsPerSecond = Double(sent &- last.sent) * 8 / seconds
        receivedBitsPerSecond = Double(received &- last.received) * 8 / seconds
        transportSentBitsPerSecond = Double(transportSent &- last.transportSent) * 8 / seconds
        transportReceivedBitsPerSecond = Double(transportReceived &- last.transportReceived) * 8 / seconds
    }
}
