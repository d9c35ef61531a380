import Devices
import MediaEngine
import Primitives
import Reactor

/// Rings at a speaker of its own, beside whatever call there is, until it is stopped. A speaker that is away is stood in
/// for by another.
@EngineActor
final class Ringer {
    private let host: AudioDeviceHost
    private let bell: Doorbell?
    private let tone = RingTone()
    private var timer: EngineTimer?
    private var farewell: EngineTimer?

    /// How often it is looked whether the ring has faded, and for how long at most: a device may be stuck.
    private static let farewellStep = Duration.milliseconds(20)
    private static let longestFarewell = Duration.seconds(1)

    /// - Parameters:
    ///   - server: a server string; `nil`: the user's own server.
    ///   - sink: the speaker's stable name.
    init(server: String?, sink: String) {
        let target = RingTarget()
        let bell = Doorbell { target.ringer?.process() }
        self.bell = bell
        host = AudioDeviceHost(
            identity: ApplicationIdentity(version: CoreVersion.current), server: server, wake: Self.waker(of: bell))
        var wishes = DeviceWishes()
        wishes.sink = sink
        // No headset changes its profile for a ring.
        wishes.allowsBluetooth = false
        host.setWishes(wishes)
        host.start(tone, capture: false)
        timer = EngineTimer { [weak self] in self?.process() }
        target.ringer = self
        process()
    }

    /// Fades the ring out, then gives the speaker back. Nothing can follow.
    func stop() {
        tone.stop()
        let deadline = MonoTime.now() + Self.longestFarewell
        // Nobody else holds a ringer that is stopped.
        farewell = EngineTimer { [self] in
            let now = MonoTime.now()
            guard now >= deadline || tone.silentAt.map({ now >= $0 }) == true else {
                farewell?.arm(after: Self.farewellStep)
                return
            }
            (farewell, timer) = (nil, nil)
            host.close()
        }
        farewell?.arm(after: Self.farewellStep)
    }

    private nonisolated static func waker(of bell: Doorbell?) -> @Sendable () -> Void {
        { bell?.ring() }
    }

    private func process() {
        guard let timer else { return }
        _ = host.process(at: .now())
        timer.arm(at: host.deadline)
    }
}

/// The way from the doorbell, which is made first, to the ringer.
@EngineActor
private final class RingTarget {
    weak var ringer: Ringer?
}
