import Devices
import Primitives
import TestSupport

/// A host whose news are processed by the test's thread, as the engine does it.
final class HostRig {
    let host: AudioDeviceHost
    let client = ToneClient()
    private(set) var events: [AudioDeviceEvent] = []
    private let doorbell = Doorbell()

    init(server: String) {
        let doorbell = doorbell
        host = AudioDeviceHost(identity: ApplicationIdentity(), server: server) { doorbell.ring() }
        host.open()
    }

    deinit {
        host.close()
    }

    /// Wishes for devices by name, in the route that needs no rule.
    func want(sink: String?, source: String?, _ change: (inout DeviceWishes) -> Void = { _ in }) {
        var wishes = DeviceWishes()
        wishes.sink = sink
        wishes.source = source
        change(&wishes)
        host.setWishes(wishes)
    }

    /// Processes news, and looks each quarter of a second as the engine does, until `holds`.
    func waitUntil(within limit: Duration = .seconds(20), _ holds: (AudioDeviceState) -> Bool) -> Bool {
        let deadline = MonoTime.now() + limit
        while true {
            events += host.process(at: .now())
            if holds(host.state) { return true }
            let left = deadline - .now()
            guard left > .zero else { return false }
            var isFirst = true
            _ = doorbell.wait(within: min(left, .milliseconds(100))) {
                defer { isFirst = false }
                return !isFirst
            }
        }
    }

    func waitUntilRunning(within limit: Duration = .seconds(20)) -> Bool {
        waitUntil(within: limit) { $0.clock == .server && $0.output.isRunning && $0.input.isRunning }
    }
}
