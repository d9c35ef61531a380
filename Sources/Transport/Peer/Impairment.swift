import Primitives
import Reactor

/// Sends datagrams through a `LossyLink` in real time.
@EngineActor
final class Impairment {
    private(set) var link: LossyLink
    private var timer: EngineTimer?
    private let deliver: @EngineActor (UnsafeRawBufferPointer) -> Void

    /// `deliver` gets each datagram that survives, when its time has come.
    init(_ link: LossyLink, deliver: @escaping @EngineActor (UnsafeRawBufferPointer) -> Void) {
        self.link = link
        self.deliver = deliver
        timer = EngineTimer { [weak self] in self?.pass(at: .now()) }
    }

    func set(_ conditions: LossyLink.Conditions) {
        link.conditions = conditions
    }

    func send(_ datagram: UnsafeRawBufferPointer, at now: MonoTime) {
        link.enqueue([UInt8](datagram), at: now)
        pass(at: now)
    }

    private func pass(at now: MonoTime) {
        while let datagram = link.dequeue(at: now) {
            datagram.withUnsafeBytes { deliver($0) }
        }
        timer?.arm(at: link.nextDelivery)
    }
}
