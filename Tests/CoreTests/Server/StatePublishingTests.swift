import ControlClient
import ControlProtocol
import Primitives
import Testing

@testable import Core

extension CoreServerTests {
    /// What subscribers get: the state first, then patches that reproduce it exactly.
    @Suite struct StatePublishingTests {
        @Test(arguments: [1, 2, 3] as [UInt64]) func patchesReproduceTheStateExactly(seed: UInt64) async throws {
            let running = try await RunningCore(guests: 1)
            let subscriber = try running.connect()
            try subscriber.send("core.subscribe")
            let (caller, reader) = (try running.connect(), try running.connect())
            var random = SplitMix64(seed: seed)
            var mirror = StateMirror()
            var unseen: [RPCMessage] = []
            var isFirst = true
            var value = JSONValue.null
            func follow(_ message: RPCMessage) throws {
                guard case .request(nil, let name, let params?) = message,
                    let update = try Update(method: name, params: params)
                else { return }
                switch update {
                case .state: value = params["state"] ?? .null
                case .patch(_, let patch): value = MergePatch.apply(patch, to: value)
                default: break
                }
                if isFirst {
                    #expect(name == "state", "the state comes first")
                    isFirst = false
                }
                #expect(try mirror.apply(update), "revisions follow one another")
            }
            for _ in 0..<30 {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let (method, params) = Self.wishes.randomElement(using: &random) ?? ("core.state", [:])
                    do throws(ClientError) {
                        _ = try caller.call(method, params)
                    } catch {
                        guard case .refused = error else { throw error }
                    }
                }
                let whole = try reader.call("core.state")
                let revision = try #require(whole["revision"]?.integerValue)
                // What came later than that waits for the next round.
                while mirror.revision < revision {
                    unseen += try subscriber.receive()
                    while mirror.revision < revision, !unseen.isEmpty { try follow(unseen.removeFirst()) }
                    guard mirror.revision < revision else { break }
                    try #require(try subscriber.wait(until: .now() + .seconds(5)))
                }
                #expect(value == whole["state"])
            }
            await running.stop()
        }

        private static let wishes: [(String, [String: JSONValue])] = [
            ("audio.mute", [:]), ("audio.close", [:]), ("audio.deafen", [:]), ("call.hold", [:]),
            ("audio.gain", ["percent": 50]), ("audio.gain", ["percent": 400]), ("audio.volume", ["percent": 0]),
            ("audio.volume", ["percent": 120]), ("participant.silence", ["participant": "ada"]),
            ("participant.volume", ["participant": "ada", "percent": 30]), ("participants.silence", [:]),
            ("participants.silence", ["joiners": .bool(true)]), ("room.ring", ["names": .array(["eve"])]),
            ("settings.set", ["name": "call.on-detach", "value": "mute"]),
            ("settings.set", ["name": "call.on-detach", "value": "hold"]), ("core.subscribe", ["console": .bool(true)]),
            ("core.subscribe", ["console": .bool(false)]), ("participant.silence", ["participant": "nobody"]),
        ]

        @Test func whoDoesNotReadGetsOneWholeStateLater() async throws {
            let running = try await RunningCore(guests: 0)
            let slow = try running.connect()
            try slow.send("core.subscribe")
            _ = try slow.wait(until: .now() + .seconds(5))
            let caller = try running.connect()
            await fill(running)
            _ = try caller.call("audio.gain", ["percent": 33])
            var mirror = StateMirror()
            var stateCount = 0
            let last: Int? = try slow.first(within: .seconds(10)) { message in
                guard case .request(nil, let name, let params) = message,
                    let update = try Update(method: name, params: params)
                else { return nil }
                if case .state = update { stateCount += 1 }
                #expect(try mirror.apply(update))
                return mirror.state.audio.gainPercent == 33 ? mirror.revision : nil
            }
            #expect(last != nil)
            #expect(stateCount == 2, "one at first, one for all that was missed")
            await running.stop()
        }

        @Test func whoNeverReadsIsDetachedAndNoLongerCounted() async throws {
            let running = try await RunningCore(guests: 0)
            await onEngine { [core = running.core] in core.server.limits.patience = .zero }
            let deaf = try running.attachConsole()
            #expect(try running.reaches { $0.core.consoles == 1 })
            await fill(running)
            await fill(running)
            #expect(try running.reaches { $0.core.consoles == 0 })
            #expect(deaf.ends(within: .seconds(20)))
            await running.stop()
        }

        @Test func answersThatNobodyReadsHoldTheirAskerBack() async throws {
            let running = try await RunningCore(guests: 0)
            let greedy = try running.connect()
            let count = 10_000
            let padding = JSONValue.string(String(repeating: "x", count: 200))
            for _ in 0..<count { try greedy.send("core.hello", ["protocol": 2, "news": padding]) }
            let other = try running.connect()
            // Far more turns than reading all of it would take.
            for _ in 0..<300 { _ = try other.call("core.state") }
            try greedy.flush()
            #expect(greedy.wantsToWrite)
            // Once it reads, nothing is missing.
            var answered = 0
            let all: Bool? = try greedy.first(within: .seconds(60)) { _ in
                answered += 1
                return answered == count ? true : nil
            }
            #expect(all == true, "\(answered) answers")
            await running.stop()
        }

        /// More than a socket and a queue hold.
        private func fill(_ running: RunningCore) async {
            await onEngine { [core = running.core] in
                let text = String(repeating: "x", count: 4000)
                for _ in 0..<600 { core.server.broadcast(.event(EventUpdate(time: 0, kind: .warning, text: text))) }
            }
        }
    }
}
