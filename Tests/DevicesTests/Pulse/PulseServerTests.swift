import Devices
import Primitives
import Synchronization
import TestSupport
import Testing

extension SoundServerTests {
    /// The control connection against a real sound server.
    @Suite struct PulseServerTests {
        /// The news of one control connection.
        private final class Listener: Sendable {
            private let events = Mutex<[PulseServer.Event]>([])
            private let doorbell = Doorbell()

            func take(_ event: PulseServer.Event) {
                events.withLock { $0.append(event) }
                doorbell.ring()
            }

            /// Waits for an event by which `body` finds something.
            func await<Result: Sendable>(
                within limit: Duration = .seconds(20), _ body: (PulseServer.Event) -> Result?
            ) -> Result? {
                var found: Result?
                _ = doorbell.wait(within: limit) {
                    found = events.withLock { $0 }.lazy.compactMap(body).first
                    return found != nil
                }
                return found
            }

            func awaitInventory(where holds: (DeviceInventory) -> Bool = { _ in true }) -> DeviceInventory? {
                self.await { event in
                    if case .inventory(let inventory) = event, holds(inventory) { inventory } else { nil }
                }
            }

            var lostCount: Int {
                events.withLock { $0.count { if case .lost = $0 { true } else { false } } }
            }
        }

        private func connect(_ pulse: PrivatePulse) -> (PulseServer, Listener) {
            let listener = Listener()
            let server = PulseServer(identity: ApplicationIdentity(), server: pulse.server) { listener.take($0) }
            server.open()
            return (server, listener)
        }

        @Test func sinksSourcesAndDefaultsAreListed() throws {
            let pulse = try PrivatePulse()
            let (server, listener) = connect(pulse)
            defer { server.close() }
            let inventory = try #require(listener.awaitInventory())
            #expect(inventory.sinks.map(\.name) == PrivatePulse.standardSinks)
            #expect(inventory.sources.allSatisfy { $0.isMonitor && $0.isNull })
            #expect(inventory.source(named: "a_mic.monitor")?.monitorOf == "a_mic")
            #expect(inventory.sinks.allSatisfy { $0.isNull && !$0.isMuted && $0.volume == 1 })
            #expect(inventory.sink(named: inventory.defaultSink) != nil)
            #expect(inventory.serverName.contains("pulseaudio"))
        }

        @Test func plugsAndDefaultsAreFollowed() throws {
            let pulse = try PrivatePulse()
            let (server, listener) = connect(pulse)
            defer { server.close() }
            let module = try pulse.loadSink("usb", "device.form_factor=headset")
            let plugged = try #require(listener.awaitInventory { $0.sink(named: "usb") != nil })
            #expect(plugged.sink(named: "usb")?.kind == .headset)
            try pulse.control("set-default-sink", "b_spk")
            #expect(listener.awaitInventory { $0.defaultSink == "b_spk" } != nil)
            _ = try pulse.loadMicrophone("mic", of: "a_mic")
            let microphone = try #require(listener.awaitInventory { $0.source(named: "mic") != nil })
            #expect(microphone.source(named: "mic")?.isMonitor == false)
            #expect(microphone.source(named: "mic")?.isNull == true)
            try pulse.unload(module)
            #expect(listener.awaitInventory { $0.source(named: "mic") != nil && $0.sink(named: "usb") == nil } != nil)
        }

        @Test func commandsAreDoneAndRefusalsAreTold() throws {
            let pulse = try PrivatePulse()
            let (server, listener) = connect(pulse)
            defer { server.close() }
            #expect(listener.awaitInventory() != nil)
            server.perform(.setSinkMuted(sink: "a_spk", isMuted: true))
            #expect(listener.awaitInventory { $0.sink(named: "a_spk")?.isMuted == true } != nil)
            server.perform(.setSourceVolume(source: "a_mic.monitor", volume: 0.5))
            #expect(listener.awaitInventory { $0.source(named: "a_mic.monitor")?.volume == 0.5 } != nil)
            let command = ServerCommand.setSinkPort(sink: "a_spk", port: "none")
            server.perform(command)
            let reason = listener.await { event in
                if case .refused(command, let reason) = event { reason } else { nil }
            }
            #expect(reason?.isEmpty == false)
        }

        @Test func aLossIsToldOnceAndTheReturnBringsTheList() throws {
            let pulse = try PrivatePulse()
            let (server, listener) = connect(pulse)
            defer { server.close() }
            #expect(listener.awaitInventory() != nil)
            pulse.kill()
            let reason = listener.await { event in if case .lost(let reason) = event { reason } else { nil } }
            #expect(reason?.isEmpty == false)
            try pulse.start()
            _ = try pulse.loadSink("after")
            #expect(listener.awaitInventory { $0.sink(named: "after") != nil } != nil)
            #expect(listener.lostCount == 1)
        }
    }
}
