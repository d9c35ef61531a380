import ControlClient
import ControlProtocol
import Glibc
import Primitives
import Terminal

/// `hoot --plain`: the same events as sentences, and typed verbs; for screen readers and terminals that can do no more.
/// No escape sequence ever. At a terminal nothing is told into a line that is being typed.
package struct LineMode: ~Copyable {
    private let options: ConsoleOptions
    private let connection: CoreConnection
    private let terminal: LineTerminal
    private let signals: SignalPipe
    private var narrator = LineNarrator()
    private var typed = TypedLine()
    /// What came from a file or a pipe and is no whole line.
    private var input: [UInt8] = []
    private var isOpen = true
    /// Verbs whose answers have not come, by request.
    private var asked: [Int: String] = [:]
    /// What is told when the line that is being typed is done.
    private var held: [String] = []
    private var unheldCount = 0

    /// Sentences that wait at most; more are counted.
    private static let heldLimit = 200
    /// The longest line that is read.
    private static let lineLimit = 1 << 16

    package init(options: ConsoleOptions) throws {
        let connection = try CoreLauncher(directories: options.directories).connectOrStart()
        let signals = try SignalPipe([SIGTERM, SIGHUP, SIGINT])
        self.options = options
        self.connection = connection
        self.signals = signals
        terminal = LineTerminal()
        narrator.detail = options.detail
    }

    /// Runs until `quit`, the end of the input or the end of the core. Returns the exit status.
    package consuming func run() throws -> Int32 {
        let greeting = try connection.greet(version: options.version)
        if greeting.isFrozenOnly { say(greeting.mismatchText) }
        var params: [String: JSONValue] = ["console": .bool(true)]
        params["pulseServer"] = options.pulseServer.map { .string($0) }
        params["display"] = options.display.map { .string($0) }
        _ = try connection.call("core.subscribe", params)
        take(try connection.receive())
        say("hoot: type a verb and enter; help lists them")
        describe()
        while isOpen || !asked.isEmpty { try step() }
        _ = try? connection.call("core.detach", within: .seconds(2))
        return 0
    }

    private mutating func step() throws {
        var pollers = [
            pollfd(
                fd: connection.descriptor, events: Int16(POLLIN | (connection.wantsToWrite ? POLLOUT : 0)), revents: 0),
            pollfd(fd: isOpen ? 0 : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let left = typed.deadline.map { max(0, ($0 - .now()).milliseconds.rounded(.up)) } ?? 60_000
        _ = poll(&pollers, 3, Int32(left))
        try connection.flush()
        if pollers[0].revents != 0 { take(try connection.receive()) }
        if pollers[1].revents != 0 { try read() }
        if pollers[2].revents != 0 { close() }
        typed.tick(at: .now())
    }

    private mutating func close() {
        isOpen = false
        asked = [:]
    }

    private mutating func say(_ text: String) {
        guard !terminal.isThere || typed.text.isEmpty else {
            if held.count < Self.heldLimit { held.append(text) } else { unheldCount += 1 }
            return
        }
        write(text.displayable + "\n")
    }

    private mutating func tellHeld() {
        guard typed.text.isEmpty else { return }
        for text in held { say(text) }
        if unheldCount > 0 { say("and \(unheldCount) more") }
        (held, unheldCount) = ([], 0)
    }

    private mutating func write(_ text: String) {
        // If not, nobody reads any more.
        if !writeWhole(text.utf8, to: 1) { close() }
    }

    private mutating func read() throws {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(0, &chunk, chunk.count)
        guard count > 0 else {
            if count == 0 || errno != EINTR { isOpen = false }
            return
        }
        if terminal.isThere { try type(Array(chunk[..<count])) } else { try readLines(chunk[..<count]) }
    }

    private mutating func readLines(_ bytes: ArraySlice<UInt8>) throws {
        input += bytes
        while isOpen, let end = input.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: input[..<end], as: UTF8.self)
            input.removeFirst(end + 1)
            try perform(line)
        }
        if input.count > Self.lineLimit {
            input = []
            say("a line of more than \(Self.lineLimit) bytes is passed over")
        }
    }

    private mutating func type(_ bytes: [UInt8]) throws {
        let wasTyping = !typed.text.isEmpty
        let (echo, events) = typed.receive(bytes.span.bytes, columns: terminal.columns, at: .now())
        write(echo)
        for event in events where isOpen {
            switch event {
            case .line(let line): try perform(line)
            case .end: isOpen = false
            case .interrupt: if !wasTyping { isOpen = false }
            case .suspend: suspend()
            }
        }
        tellHeld()
    }

    /// A camera that was opened here is not open while nobody looks.
    private mutating func suspend() {
        _ = try? connection.send("video.preview", ["on": .bool(false)])
        try? connection.flush()
        terminal.leave()
        kill(getpid(), SIGSTOP)
        terminal.enter()
        write(typed.text)
    }

    /// Performs one typed line.
    private mutating func perform(_ line: String) throws {
        let line = line.trimmed
        switch LineVerb(line) {
        case .nothing: break
        case .quit: isOpen = false
        case .help(nil): say(LineVerb.text)
        case .help(let word?): say(LineVerb.summary(of: word) ?? "no verb \"\(word)\"; help lists them")
        case .status: describe()
        case .detail(let detail):
            if let detail { narrator.detail = detail }
            say("detail: \(narrator.detail.rawValue)")
        case .request(let method, let params):
            let id = try connection.send(method, params)
            asked[id] = line
        case .misused(let text): say(text)
        case .unknown(let word): say("no verb \"\(word)\"; help lists them")
        }
    }

    private mutating func take(_ messages: [RPCMessage]) {
        for message in messages {
            switch message {
            case .request(_, let method, let params):
                guard let update = try? Update(method: method, params: params) else { continue }
                for text in narrator.take(update, at: .now(), isAnswering: !asked.isEmpty) { say(text) }
            case .result(.integer(let id), let result):
                guard let verb = asked.removeValue(forKey: id) else { continue }
                if let lines = AnswerText.lines(result) {
                    for line in lines { say(line) }
                    continue
                }
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
        let people = narrator.state.activeCall.flatMap { narrator.state.calls[$0] }?.people ?? [:]
        return unreached.map { "\(people[$0]?.name ?? $0): \($1.stringValue ?? "")" }.sorted().joined(separator: "; ")
    }

    private mutating func describe() {
        for line in StatusText.lines(narrator.state) { say(line) }
    }

    private var microphone: String {
        StatusText.microphone(narrator.state)
    }
}
