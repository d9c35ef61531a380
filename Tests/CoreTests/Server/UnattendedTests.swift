import ControlClient
import ControlProtocol
import Glibc
import Primitives
import TestSupport
import Testing

@testable import Core

extension CoreServerTests {
    /// A microphone that nobody sits at: what happens when the last console goes, and to calls that begin without one.
    @Suite struct UnattendedTests {
        /// What the policies do to a call.
        enum Fate: Sendable {
            case live
            case muted
            case held
            case gone

            func isMet(_ state: CoreState) -> Bool {
                guard state.core.consoles == 0 else { return false }
                let call = state.calls.values.first
                return switch self {
                case .live: call?.isHeld == false && state.audio.microphone == .live
                case .muted: call?.isHeld == false && state.audio.microphone == .muted
                case .held: call?.isHeld == true && state.audio.microphone == .onHold
                case .gone: call == nil
                }
            }
        }

        @Test(arguments: [("keep", Fate.live), ("mute", .muted), ("hold", .held), ("leave", .gone)])
        func thePolicyIsAppliedWhenTheLastConsoleGoes(policy: String, fate: Fate) async throws {
            for (setting, other, leaves) in [("on-detach", "on-lost", true), ("on-lost", "on-detach", false)] {
                let running = try await RunningCore(
                    guests: 1, settings: "[call]\n\(setting)=\(policy)\n\(other)=keep\n")
                var consoles = [try running.attachConsole(), try running.attachConsole()]
                #expect(try running.reaches { $0.core.consoles == 2 && $0.audio.microphone == .live })
                for left in [1, 0] {
                    if leaves { _ = try consoles[left].call("core.detach") }
                    consoles.removeLast()
                    // Only the last one counts.
                    let met = left == 1 ? { $0.core.consoles == 1 && $0.audio.microphone == .live } : fate.isMet
                    #expect(try running.reaches(met), "\(setting)=\(policy), \(left) left")
                }
                await running.stop()
            }
        }

        @Test func aKilledConsoleLeavesTheCallAndAnotherIsBackAtOnce() async throws {
            let running = try await RunningCore(guests: 1)
            let survivor = try running.attachConsole()
            let (reader, writer) = try makePipe()
            let victim = try ChildProcess(
                [HootProgram.path, "ctl", "-"],
                environment: [
                    "HOOT_RUNTIME_DIR": running.directories.runtime, "HOOT_STATE_DIR": running.directories.state,
                ],
                input: reader)
            close(reader)
            let request = RPCMessage.request(
                id: 1, method: "core.subscribe", params: .object(["console": .bool(true)])
            ).line
            #expect(write(writer, request, request.count) == request.count)
            #expect(try running.reaches { $0.core.consoles == 2 })
            victim.kill()
            close(writer)
            #expect(
                try running.reaches { $0.core.consoles == 1 && $0.audio.microphone == .live && $0.calls.count == 1 })
            let start = MonoTime.now()
            let again = try running.attachConsole()
            #expect(try again.state().calls.count == 1)
            #expect(MonoTime.now() - start < .seconds(1))
            #expect(try survivor.state().core.consoles == 2)
            await running.stop()
        }

        @Test func aConsoleThatSaysItIsNoneAnyMoreIsTheLastOne() async throws {
            let running = try await RunningCore(guests: 1, settings: "[call]\non-detach=mute\n")
            let console = try running.attachConsole()
            #expect(try running.reaches { $0.audio.microphone == .live })
            _ = try console.call("core.subscribe", ["console": .bool(false)])
            #expect(try running.reaches { Fate.muted.isMet($0) })
            await running.stop()
        }

        @Test func aCallThatBeginsWithNobodyThereIsMuted() async throws {
            let running = try await RunningCore(guests: 0)
            let script = try running.connect()
            let room: [String: JSONValue] = ["room": "r", "listen": "127.0.0.1:0"]
            _ = try script.call("room.host", room)
            #expect(try script.state().audio.microphone == .muted)
            _ = try script.call("call.leave")
            _ = try script.call("room.host", room.merging(["muted": .bool(false)]) { $1 })
            #expect(try script.state().audio.microphone == .live, "unless it is wished otherwise")
            _ = try script.call("call.leave")
            let console = try running.attachConsole()
            _ = try console.call("room.host", room)
            #expect(try console.state().audio.microphone == .live)
            await running.stop()
        }

        @Test func aloneForLongMeansLeaving() async throws {
            let running = try await RunningCore(guests: 0, settings: "[call]\nalone-leave=2\n")
            await onEngine { [core = running.core] in core.calls.minute = .milliseconds(100) }
            let script = try running.connect()
            _ = try script.call("room.host", ["room": "r", "listen": "127.0.0.1:0"])
            #expect(try script.state().calls.values.first?.aloneLeaveAt != nil)
            let start = MonoTime.now()
            #expect(try running.reaches { $0.calls.isEmpty })
            #expect(MonoTime.now() - start < .seconds(3))
            #expect(try script.state().lastEnd?.reason == "left: nobody came for 2 minutes")
            _ = try script.call("settings.set", ["name": "call.alone-leave", "value": 0])
            _ = try script.call("room.host", ["room": "r", "listen": "127.0.0.1:0"])
            #expect(try script.state().calls.values.first?.aloneLeaveAt == nil)
            _ = try script.call("settings.set", ["name": "call.alone-leave", "value": 1])
            #expect(try script.state().calls.values.first?.aloneLeaveAt != nil, "a change holds for the call that runs")
            await running.stop()
        }
    }
}
