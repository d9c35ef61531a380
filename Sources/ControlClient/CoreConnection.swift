import CLinux
package import ControlProtocol
import Glibc
package import Primitives

/// A console's connection to the core: requests out, answers and notifications in. For one thread; never blocks except
/// in `call`.
package final class CoreConnection {
    private let socket: UnixSocket
    private var input: [UInt8] = []
    private var output: [UInt8] = []
    private var lastID = 0
    /// Messages that came while `call` waited for an answer, oldest first.
    private var pending: [RPCMessage] = []
    /// Descriptors that came and were not taken yet, oldest first.
    private var descriptors: [Int32] = []
    private static let mostDescriptors = 8

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }

    init(_ socket: consuming UnixSocket) {
        self.socket = socket
    }

    /// Takes over a connected stream socket.
    package init(descriptor: Int32) {
        socket = UnixSocket(descriptor: descriptor)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// For `poll`: readable when the core has sent something.
    package var descriptor: Int32 {
        socket.descriptor
    }

    /// Whether something waits to be written: `poll` for writability too, then call `flush`.
    package var wantsToWrite: Bool {
        !output.isEmpty
    }

    /// Sends a request and returns its id, which the answer will carry.
    @discardableResult
    package func send(_ method: String, _ params: [String: JSONValue] = [:]) throws(ClientError) -> Int {
        lastID += 1
        let request = RPCMessage.request(
            id: .integer(lastID), method: method, params: params.isEmpty ? nil : .object(params))
        output += request.line
        try flush()
        return lastID
    }

    /// Sends a line as it is, for `hoot ctl -`.
    package func send(line: some Sequence<UInt8>) throws(ClientError) {
        output += line
        output.append(UInt8(ascii: "\n"))
        try flush()
    }

    /// Writes as much as the socket takes now. To a core that takes no more, the rest is dropped: reading tells what it
    /// said last, and then that it is gone.
    package func flush() throws(ClientError) {
        while !output.isEmpty {
            let count = Glibc.send(descriptor, output, output.count, Int32(MSG_NOSIGNAL))
            let error = errno
            if count > 0 {
                output.removeFirst(count)
            } else if error == EAGAIN {
                return
            } else if error == EPIPE || error == ECONNRESET {
                output = []
            } else if error != EINTR {
                throw .lost(describe(error))
            }
        }
    }

    /// Everything that has arrived, in order; empty when nothing has. Lines that are no message are skipped.
    package func receive() throws(ClientError) -> [RPCMessage] {
        defer { pending = [] }
        return pending + (try read())
    }

    /// Sends a request and waits for its answer. Notifications that come meanwhile are kept for `receive`. An error that
    /// names no request, as a refused connection's, is the answer too.
    package func call(
        _ method: String, _ params: [String: JSONValue] = [:], within limit: Duration = .seconds(10)
    ) throws(ClientError) -> JSONValue {
        let id = JSONValue.integer(try send(method, params))
        let deadline = MonoTime.now() + limit
        while true {
            var answer: RPCMessage?
            for message in try read() {
                switch message {
                case .result(id, _), .error(id, _), .error(.null, _): answer = message
                default: pending.append(message)
                }
            }
            if case .result(_, let result) = answer { return result }
            if case .error(_, let error) = answer { throw .refused(error) }
            guard try wait(until: deadline) else { throw .timeout(method: method) }
        }
    }

    /// Waits until something can be read, writing what waits meanwhile. Returns `false` at the deadline.
    package func wait(until deadline: MonoTime) throws(ClientError) -> Bool {
        while true {
            let left = (deadline - MonoTime.now()).milliseconds.rounded(.up)
            guard left > 0 else { return false }
            var poller = pollfd(
                fd: descriptor, events: Int16(POLLIN | (wantsToWrite ? POLLOUT : 0)), revents: 0)
            guard poll(&poller, 1, Int32(min(left, 60_000))) > 0 else { continue }
            if Int32(poller.revents) & POLLOUT != 0 { try flush() }
            if Int32(poller.revents) & ~POLLOUT != 0 { return true }
        }
    }

    /// The descriptors that have come along with messages since the last call; they are the caller's to close.
    package func takeDescriptors() -> [Int32] {
        defer { descriptors = [] }
        return descriptors
    }

    private func receive(into chunk: inout [UInt8]) -> (count: Int, error: Int32) {
        var found = [Int32](repeating: -1, count: Self.mostDescriptors)
        var count: Int32 = 0
        let room = Int32(Self.mostDescriptors - descriptors.count)
        let received = clinux_receive_descriptors(descriptor, &chunk, chunk.count, &found, room, &count)
        let error = errno
        descriptors += found.prefix(Int(count))
        return (received, error)
    }

    private func read() throws(ClientError) -> [RPCMessage] {
        var isOpen = true
        var chunk = [UInt8](repeating: 0, count: 65536)
        reading: while true {
            let (count, error) = receive(into: &chunk)
            switch count {
            case 1...: input += chunk[..<count]
            case 0:
                isOpen = false
                break reading
            default:
                if error == EINTR { continue }
                if error != EAGAIN { isOpen = false }
                break reading
            }
        }
        let messages = takeLines()
        guard isOpen || !messages.isEmpty else { throw .lost("it closed the connection") }
        return messages
    }

    private func takeLines() -> [RPCMessage] {
        var messages: [RPCMessage] = []
        var start = input.startIndex
        while let end = input[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if let message = try? RPCMessage(line: input[start..<end]) { messages.append(message) }
            start = end + 1
        }
        input.removeFirst(start)
        return messages
    }
}
