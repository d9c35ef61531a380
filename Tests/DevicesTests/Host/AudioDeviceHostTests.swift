import Devices
import MediaEngine
import Primitives
import TestSupport
import Testing

extension SoundServerTests {
    /// The whole of the devices against a real sound server.
    @Suite struct AudioDeviceHostTests {
        private func rig(_ pulse: PrivatePulse) -> HostRig {
            let rig = HostRig(server: pulse.server)
            rig.want(sink: "a_spk", source: "a_mic.monitor")
            rig.host.start(rig.client, capture: true)
            return rig
        }

        @Test func withoutAServerTheCallHasAClockAndTheStateSaysWhy() throws {
            let pulse = try PrivatePulse(stoppedWithSinks: [])
            let rig = rig(pulse)
            #expect(rig.client.awaitRendered(20))
            let isAbsent = rig.waitUntil { if case .absent = $0.server { true } else { false } }
            #expect(isAbsent)
            #expect(rig.host.state.clock == .own)
            #expect(rig.host.state.output == .none && rig.host.state.input == .none)
            #expect(rig.host.state.notices.first?.remedy != nil)
        }

        @Test func aKilledServerLeavesTheCallItsClockAndSoundReturnsWithinTwoSeconds() throws {
            let pulse = try PrivatePulse()
            let rig = rig(pulse)
            for _ in 0..<3 {
                #expect(rig.waitUntilRunning())
                pulse.kill()
                #expect(rig.waitUntil { $0.clock == .own })
                #expect(rig.client.awaitRendered(20))
                try pulse.start()
                let returned = MonoTime.now()
                #expect(rig.waitUntilRunning())
                print("host: sound back after", (MonoTime.now() - returned).milliseconds, "ms")
            }
            let recorder = try PulseRecorder(pulse, source: "a_spk.monitor")
            #expect(recorder.awaitBlock(within: .seconds(10)) { abs($0.amplitude(atHz: 660) - 0.25) < 0.05 } != nil)
            let player = try PulsePlayer(
                pulse, sink: "a_mic", samples: ToneMeter.tone(frequencyHz: 440, amplitude: 0.25, seconds: 10))
            rig.client.forget()
            #expect(rig.client.awaitCaptured(96_000))
            let heard = ToneMeter(rig.client.captured).suffix(24_000)
            #expect(abs(heard.frequencyHz - 440) < 1)
            withExtendedLifetime(player) {}
        }

        @Test func aServerThatStandsStillLosesTheClockAndGetsItBack() throws {
            let pulse = try PrivatePulse()
            let rig = rig(pulse)
            #expect(rig.waitUntilRunning())
            pulse.setSuspended(true)
            defer { pulse.setSuspended(false) }
            #expect(rig.waitUntil { $0.clock == .own && $0.notices.contains(.stalled) })
            #expect(rig.client.awaitRendered(20))
            pulse.setSuspended(false)
            #expect(rig.waitUntil { $0.clock == .server })
            #expect(rig.events.contains(.health(.stall, count: 1)))
        }

        @Test func withoutASourceOneListensOnly() throws {
            let pulse = try PrivatePulse(sinks: ["a_spk"])
            let rig = HostRig(server: pulse.server)
            rig.host.start(rig.client, capture: true)
            #expect(rig.waitUntil { $0.clock == .server && $0.output.isRunning })
            #expect(rig.host.state.input == .none)
            #expect(rig.host.state.notices.contains(.noInput))
            #expect(rig.client.awaitRendered(20))
            #expect(rig.client.captured.isEmpty)
        }

        @Test func withoutASinkTheMicrophoneDrivesTheCall() throws {
            let pulse = try PrivatePulse(sinks: [])
            try pulse.control("load-module", "module-null-source", "source_name=lonely", "rate=48000", "channels=1")
            let rig = HostRig(server: pulse.server)
            rig.host.start(rig.client, capture: true)
            #expect(rig.waitUntil { $0.clock == .server && $0.input.isRunning })
            #expect(rig.host.state.output == .none)
            #expect(rig.host.state.notices.contains(.noOutput))
            #expect(rig.client.awaitCaptured(4800))
            #expect(rig.client.awaitRendered(20))
        }

        @Test func withNeitherTheCallHasItsOwnClock() throws {
            let pulse = try PrivatePulse(sinks: [])
            let rig = HostRig(server: pulse.server)
            rig.host.start(rig.client, capture: true)
            let isRunning = rig.waitUntil { if case .running = $0.server { true } else { false } }
            #expect(isRunning)
            #expect(rig.host.state.clock == .own)
            #expect(rig.host.state.notices == [.noOutput, .noInput])
            #expect(rig.client.awaitRendered(20))
        }

        @Test func anUnpluggedDeviceIsAwaitedAndTakenAgain() throws {
            let pulse = try PrivatePulse()
            let module = try pulse.loadSink("usb")
            let rig = HostRig(server: pulse.server)
            rig.want(sink: "usb", source: "a_mic.monitor")
            rig.host.start(rig.client, capture: true)
            #expect(rig.waitUntil { $0.output.name == "usb" && $0.output.isRunning })
            try pulse.unload(module)
            #expect(rig.waitUntil { $0.awaitedOutput == "usb" && $0.output.isRunning && $0.output.name != "usb" })
            #expect(rig.host.state.notices.contains(.standIn(for: "usb", isInput: false)))
            #expect(rig.client.awaitRendered(20))
            _ = try pulse.loadSink("usb")
            #expect(rig.waitUntil { $0.output.name == "usb" && $0.output.isRunning })
            #expect(rig.host.state.awaitedOutput == nil)
        }

        @Test func mutesAndVolumesOfTheServerAreNamed() throws {
            let pulse = try PrivatePulse()
            let rig = rig(pulse)
            #expect(rig.waitUntilRunning())
            try pulse.control("set-source-mute", "a_mic.monitor", "1")
            #expect(rig.waitUntil { $0.notices.contains(.inputMuted(name: "a_mic.monitor")) })
            try pulse.control("set-source-mute", "a_mic.monitor", "0")
            try pulse.control("set-sink-volume", "a_spk", "0")
            #expect(rig.waitUntil { $0.notices == [.outputVolumeZero(name: "a_spk")] })
            try pulse.control("set-sink-volume", "a_spk", "100%")
            #expect(rig.waitUntil { $0.notices.isEmpty })
            let stream = try #require(rig.host.inventory?.ownStreams.first { $0.isCapture })
            try pulse.control("set-source-output-mute", "\(stream.index)", "1")
            #expect(rig.waitUntil { $0.notices == [.captureStreamMuted(index: stream.index)] })
        }

        @Test func nullDevicesAreSaidToNeedNoProcessing() throws {
            let pulse = try PrivatePulse()
            let rig = rig(pulse)
            #expect(rig.waitUntilRunning())
            let settings = rig.host.state.usefulProcessing
            #expect(!settings.cancelsEcho && !settings.suppressesNoise && !settings.controlsGain)
        }

        @Test func theRouteMovesOnlyOurOwnStream() throws {
            let pulse = try PrivatePulse()
            _ = try pulse.loadSink("phones", "device.form_factor=headphone")
            let rig = HostRig(server: pulse.server)
            rig.want(sink: "phones", source: "a_mic.monitor")
            rig.host.start(rig.client, capture: true)
            #expect(rig.waitUntil { $0.output.name == "phones" && $0.output.isRunning && $0.route == .receiver })
            #expect(!rig.host.state.usefulProcessing.cancelsEcho)
            rig.want(sink: "a_spk", source: "a_mic.monitor")
            #expect(rig.waitUntil { $0.output.name == "a_spk" && $0.output.isRunning && $0.route == .speaker })
            #expect(rig.events.contains(.routeChanged(.speaker)))
        }

        @Test func anotherServerIsGoneToDuringTheCall() throws {
            let first = try PrivatePulse(stoppedWithSinks: [])
            let second = try PrivatePulse()
            let rig = rig(first)
            let isAbsent = rig.waitUntil { if case .absent = $0.server { true } else { false } }
            #expect(isAbsent)
            rig.host.setServer(second.server)
            #expect(rig.waitUntilRunning())
        }

        @Test func stoppingReleasesTheDevicesAndKeepsTheList() throws {
            let pulse = try PrivatePulse()
            let rig = rig(pulse)
            #expect(rig.waitUntilRunning())
            rig.host.stop()
            #expect(rig.waitUntil { $0.clock == .none && $0.output == .idle && $0.input == .idle })
            let count = rig.client.renderedFrames
            #expect(rig.waitUntil { _ in rig.host.inventory?.ownStreams.isEmpty == true })
            #expect(rig.client.renderedFrames == count)
            #expect(try pulse.control("list", "short", "sink-inputs").isEmpty)
            rig.host.start(rig.client, capture: true)
            #expect(rig.waitUntilRunning())
        }

        @Test func twentyRestartsLeakNeitherDescriptorsNorThreads() throws {
            let pulse = try PrivatePulse()
            let rig = rig(pulse)
            #expect(rig.waitUntilRunning())
            let before = ProcessUsage.now()
            for _ in 0..<20 {
                pulse.kill()
                #expect(rig.waitUntil { $0.clock == .own })
                try pulse.start()
                #expect(rig.waitUntilRunning())
            }
            // One leaked each time would be twenty; other suites, which run meanwhile, hold a few.
            let after = ProcessUsage.now()
            #expect(after.descriptorCount < before.descriptorCount + 15)
            #expect(after.threadCount < before.threadCount + 15)
        }
    }
}
