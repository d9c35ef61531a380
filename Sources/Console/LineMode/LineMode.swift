package import ControlClient
import ControlProtocol
import Glibc
import Primitives

/// `hoot --plain`: the same events as sentences, and typed verbs; for screen readers and terminals that can do no more.
/// No escape sequence ever.
package struct LineMode: ~Copyable {
    private let options: ConsoleOptions
    private let connection: CoreConnection
    private var mirror = StateMirror()
    private var input: [UInt8] = []
    private var isOpen = true
    /// Verbs whose answers have not come, by request.
    private var asked: [Int: String] = [:]

    package init(options: ConsoleOptions) throws(ClientError) {
        self.options = options
        connection = try CoreLauncher(directories: options.directories).connectOrStart()
    }

    /// Runs until `quit`, the end of the input or the end of the core. Returns the exit status.
    package consuming func run() throws -> Int32 {
        let greeting = try connection.greet(version: options.version)
        if greeting.isFrozenOnly { say(greeting.mismatchText) }
        var params: [String: JSONValue] = ["console": .bool(true), "levels": .bool(false), "statistics": .bool(false)]
        params["pulseServer"] = options.pulseServer.map { .string($0) }
        params["display"] = options.display.map { .string($0) }
        _ = try connection.call("core.subscribe", params)
        take(try connection.receive())
        say("hoot: type a verb and enter; help lists them")
        describe()
        while isOpen || !asked.isEmpty {
            var pollers = [
                pollfd(
                    fd: connection.descriptor, events: Int16(POLLIN | (connection.wantsToWrite ? POLLOUT : 0)),
                    revents: 0),
                pollfd(fd: isOpen ? 0 : -1, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&pollers, 2, 60_000)
            try connection.flush()
            if pollers[0].revents != 0 { take(try connection.receive()) }
            if pollers[1].revents != 0, try readLines() { isOpen = false }
        }
        _ = try? connection.call("core.detach", within: .seconds(2))
        return 0
    }

    private func say(_ text: String) {
        let bytes = Array((text.displayable + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }

    /// Returns whether the user wants to end.
    private mutating func readLines() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(0, &chunk, chunk.count)
        if count > 0 { input += chunk[..<count] }
        if count == 0 { isOpen = false }
        while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: input[..<end], as: UTF8.self)
            input.removeFirst(end + 1)
            if try perform(line) { return true }
        }
        return false
    }

    /// Performs one typed line. Returns whether the user wants to end.
    private mutating func perform(_ line: String) throws -> Bool {
        switch LineVerb(line) {
        case .nothing: break
        case .quit: return true
        case .help(nil): say(LineVerb.text)
        case .help(let word?): say(LineVerb.summary(of: word) ?? "no verb \"\(word)\"; help lists them")
        case .status: describe()
        case .request(let method, let params):
            let id = try connection.send(method, params)
            asked[id] = line
        case .misused(let text): say(text)
        case .unknown(let word): say("no verb \"\(word)\"; help lists them")
        }
        return false
    }

    private mutating func take(_ messages: [RPCMessage]) {
        for message in messages {
            switch message {
            case .request(_, let method, let params):
                guard let update = try? Update(method: method, params: params) else { continue }
                if case .event(let event) = update { say(event.text) }
                _ = try? mirror.apply(update)
            case .result(.integer(let id), let result):
                guard let verb = asked.removeValue(forKey: id) else { continue }
                say(whomItDidNotReach(result).map { "\(verb): not to \($0)" } ?? "\(verb): done. \(microphone)")
            case .error(.integer(let id), let error):
                if let verb = asked.removeValue(forKey: id) { say("\(verb): \(error.message)") }
            case .result, .error: break
            }
        }
    }

    /// Of a chat message: those who did not get it; `nil` where all did, and for everything else.
    private func whomItDidNotReach(_ result: JSONValue) -> String? {
        guard case .object(let unreached)? = result["unreached"], !unreached.isEmpty else { return nil }
        let people = mirror.state.activeCall.flatMap { mirror.state.calls[$0] }?.people ?? [:]
        return unreached.map { "\(people[$0]?.name ?? $0): \($1.stringValue ?? "")" }.sorted().joined(separator: "; ")
    }

    private func describe() {
        for line in StatusText.lines(mirror.state) { say(line) }
    }

    private var microphone: String {
        StatusText.microphone(mirror.state)
    }
}
