import ControlClient
import ControlProtocol
import Glibc
import Primitives

/// `hoot ctl`.
enum CtlCommand {
    static let command = Command(
        name: "ctl", operands: "METHOD [KEY=VALUE…] | - | watch", summary: "call a method of the core's socket",
        details: details, operandCount: 1...64, takesWordsAsTheyAre: true,
        run: { invocation in
            switch invocation.operands[0] {
            case "-": try relay()
            case "watch": try watch()
            default: try call(invocation.operands)
            }
        })

    private static var details: String {
        let methods = Method.all.map { method in
            let parameters = method.parameters.map { $0.isRequired ? $0.name : "[\($0.name)]" }
            return ("\(method.name) \(parameters.joined(separator: " "))", method.summary)
        }
        let lines = [
            "The result is printed as JSON. `-` carries JSON-RPC 2.0 lines from standard input and the answers to",
            "standard output; `watch` prints events as they come.", "", "methods:",
        ]
        return (lines + Help.table(methods)).joined(separator: "\n")
    }

    private static func call(_ words: [String]) throws -> Int32 {
        guard let method = Method.named(words[0]) else { throw ClientError.refused(.methodNotFound(words[0])) }
        var params: [String: JSONValue]
        do throws(RPCError) {
            params = try method.parameters(in: words.dropFirst())
        } catch {
            throw UsageError(error.message)
        }
        if method.name == "core.hello", params["protocol"] == nil {
            params["protocol"] = .integer(ProtocolVersion.current)
        }
        let session = try Session.attach()
        Output.line(try session.connection.call(method.name, params, within: .seconds(60)).text)
        return 0
    }

    private static func watch() throws -> Int32 {
        let session = try Session.attach()
        try session.call("core.subscribe", ["levels": .bool(false), "statistics": .bool(false)])
        while true {
            for message in try session.connection.receive() {
                guard case .request(_, "event", let params?) = message else { continue }
                Output.line(params.text)
            }
            // An output that nobody reads any more is in error, whether or not there is something to write.
            var pollers = [
                pollfd(fd: session.connection.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: 1, events: 0, revents: 0),
            ]
            guard poll(&pollers, 2, -1) >= 0 || errno == EINTR, pollers[1].revents == 0 else { return 1 }
        }
    }

    /// Carries lines both ways until standard input ends and every request is answered. Input is read only as fast as
    /// the core takes it.
    private static func relay() throws -> Int32 {
        guard let connection = try CoreLauncher(directories: .current()).connect() else { throw ClientError.noCore }
        var input = StandardInput()
        var unanswered = 0
        while input.isOpen || unanswered > 0 {
            let wantsToWrite = connection.wantsToWrite
            var pollers = [
                pollfd(fd: connection.descriptor, events: Int16(POLLIN | (wantsToWrite ? POLLOUT : 0)), revents: 0),
                pollfd(fd: input.isOpen && !wantsToWrite ? 0 : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&pollers, 2, -1) > 0 else { continue }
            if Int32(pollers[0].revents) & POLLOUT != 0 { try connection.flush() }
            if Int32(pollers[0].revents) & ~POLLOUT != 0 {
                for message in try connection.receive() {
                    Output.write(String(decoding: message.line, as: UTF8.self), to: 1)
                    if case .request = message { continue }
                    unanswered -= 1
                }
            }
            guard pollers[1].revents != 0 else { continue }
            for line in input.readLines() {
                if isAnswered(line) { unanswered += 1 }
                try connection.send(line: line)
            }
        }
        return 0
    }

    /// Whether the core answers such a line: a request with an id, or what is no message at all.
    private static func isAnswered(_ line: [UInt8]) -> Bool {
        do throws(RPCError) {
            guard case .request(let id, _, _) = try RPCMessage(line: line) else { return false }
            return id != nil
        } catch {
            return true
        }
    }
}

/// Standard input in lines, for a program that polls it.
private struct StandardInput {
    private(set) var isOpen = true
    private var buffer: [UInt8] = []

    /// What can be read now; the last line needs no newline.
    mutating func readLines() -> [[UInt8]] {
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = read(0, &chunk, chunk.count)
        if count > 0 { buffer += chunk[..<count] }
        if count == 0 {
            isOpen = false
            if !buffer.isEmpty { buffer.append(UInt8(ascii: "\n")) }
        }
        let lines = buffer.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        buffer = Array(lines.last ?? [])
        return lines.dropLast().filter { !$0.isEmpty }.map(Array.init)
    }
}
