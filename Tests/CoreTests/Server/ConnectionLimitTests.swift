import ControlClient
import ControlProtocol
import Testing

@testable import Core

extension CoreServerTests {
    @Test func moreConnectionsThanAnyoneHasAreRefused() async throws {
        let running = try await RunningCore(guests: 0)
        var connections = try (0..<64).map { _ in try running.connect() }
        for connection in connections { _ = try connection.call("core.state") }
        let refused = try running.connect()
        let error: RPCError? = try refused.first { message in
            if case .error(.null, let error) = message { return error }
            return nil
        }
        #expect(error?.message == "64 consoles are attached already")
        connections.removeFirst()
        // One left, so one may come.
        #expect(holds(within: .seconds(20)) { (try? running.connect().call("core.state")) != nil })
        await running.stop()
    }
}
