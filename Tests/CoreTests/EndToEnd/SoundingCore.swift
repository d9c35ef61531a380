import ControlClient
import ControlProtocol
import Foundation
import Glibc
import Primitives
import TestSupport
import Testing

/// A real core on a private sound server, with the sink that its microphone listens to and the one that it plays into.
final class SoundingCore {
    let program: HootProgram
    let name: String
    /// The connection that hears of everything that happens.
    let connection: CoreConnection
    private(set) var mirror = StateMirror()
    private(set) var levels = LevelsUpdate()
    private(set) var statistics: StatisticsUpdate?
    private(set) var events: [EventUpdate] = []

    /// - Parameters:
    ///   - name: `a` captures from `a_microphone`, made of `a_mic`'s monitor, and plays into `a_spk`.
    ///   - settings: lines of `hoot.conf` beside the devices, by group.
    ///   - network: where its sockets live; `nil`: where the tests' do.
    init(
        _ name: String, pulse: PrivatePulse?, settings: [String: [String]] = [:], network: NetworkNamespace? = nil
    ) throws {
        self.name = name
        program = try HootProgram()
        program.network = network
        var groups = settings
        groups["audio", default: []] += ["echo-cancellation=off", "noise-suppression=off", "gain-control=off"]
        if let pulse {
            groups["audio", default: []] += [
                "server=\(pulse.server)", "input=\(name)_microphone", "output=\(name)_spk",
            ]
        }
        let directories = program.directories
        try directories.prepareConfiguration()
        let text = groups.map { "[\($0.key)]\n" + $0.value.joined(separator: "\n") }.joined(separator: "\n")
        try text.write(toFile: directories.settingsPath, atomically: true, encoding: .utf8)
        guard try program.run("core").status == 0 else { throw ClientError.noCore }
        connection = try program.attach()
        _ = try connection.call("core.subscribe", ["console": .bool(true)])
    }

    /// The same installation after its core was killed.
    init(rising dead: SoundingCore) throws {
        name = dead.name
        program = dead.program
        guard try program.run("core").status == 0 else { throw ClientError.noCore }
        connection = try program.attach()
        _ = try connection.call("core.subscribe", ["console": .bool(true)])
    }

    var state: CoreState {
        mirror.state
    }

    /// The active call's others.
    var people: [Participant] {
        guard let call = state.activeCall.flatMap({ state.calls[$0] }) else { return [] }
        return call.order.compactMap { call.people[$0] }
    }

    @discardableResult
    func call(_ method: String, _ params: [String: JSONValue] = [:]) throws -> JSONValue {
        try connection.call(method, params, within: .seconds(30))
    }

    /// Opens a room, unmuted; gives its link.
    func host(
        _ room: String, address: String = "127.0.0.1", port: Int = 0, muted: Bool = false,
        with more: [String: JSONValue] = [:]
    ) throws -> String {
        let parameters: [String: JSONValue] = [
            "room": .string(room), "listen": .string("\(address):\(port)"), "name": .string(name),
            "muted": .bool(muted),
        ]
        let answer = try call("room.host", parameters.merging(more) { $1 })
        guard case .array(let links)? = answer["links"], let link = links.first?.stringValue else {
            throw ClientError.lost("no link")
        }
        return link
    }

    func join(_ link: String, muted: Bool = false) throws {
        try call("call.join", ["what": .string(link), "name": .string(name), "muted": .bool(muted)])
    }

    /// Shows the test pattern.
    func showPattern() throws {
        try call("video.select", ["source": .string("pattern")])
        try call("video.mute", ["on": .bool(false)])
    }

    /// Why the link lets nobody in; `nil`: it did.
    func refusal(of link: String) throws -> String? {
        do {
            try join(link)
            return nil
        } catch ClientError.refused(let error) {
            return error.message
        }
    }

    /// Takes what comes until `condition` holds; `false` after `limit`.
    func wait(within limit: Duration = .seconds(60), until condition: (SoundingCore) -> Bool) throws -> Bool {
        let deadline = MonoTime.now() + limit
        while true {
            for message in try connection.receive() { take(message) }
            if condition(self) { return true }
            guard try connection.wait(until: deadline) else { return false }
        }
    }

    /// Whether everybody in the call is connected, and there are `count` of them.
    func waitForPeople(_ count: Int, within limit: Duration = .seconds(60)) throws -> Bool {
        try wait(within: limit) { core in
            core.people.count == count && core.people.allSatisfy { $0.link == .connected }
        }
    }

    /// The figures that come next.
    func nextStatistics() throws -> StatisticsUpdate {
        statistics = nil
        _ = try wait { $0.statistics != nil }
        guard let statistics else { throw ClientError.timeout(method: "statistics") }
        return statistics
    }

    /// The streams of a kind, by their W3C names, to or from the participant called `name`, or everybody.
    func streams(_ kind: String, of name: String? = nil) throws -> [JSONValue] {
        let answer = try call("stats.get", name.map { ["participant": .string($0)] } ?? [:])
        guard case .object(let people)? = answer["participants"] else { return [] }
        return people.values.flatMap { person -> [JSONValue] in
            guard case .array(let streams)? = person[kind] else { return [] }
            return streams
        }
    }

    /// How much of everybody's sound had to be made up here since they came.
    func concealedSamples() throws -> Int {
        try streams("inbound-rtp").reduce(0) { $0 + ($1["concealedSamples"]?.integerValue ?? 0) }
    }

    /// Memory of the core's process.
    func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(state.core.pid)/statm", encoding: .utf8)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
    }

    private func take(_ message: RPCMessage) {
        guard case .request(_, let method, let params) = message,
            let update = try? Update(method: method, params: params)
        else { return }
        switch update {
        case .levels(let levels): self.levels = levels
        case .event(let event): events.append(event)
        case .statistics(let statistics): self.statistics = statistics
        case .state, .patch: _ = try? mirror.apply(update)
        }
    }
}

/// A port of loopback that nobody listens on.
func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutablePointer(to: &address) { pointer in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            try #require(bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0)
        }
    }
    return Int(UInt16(bigEndian: address.sin_port))
}
