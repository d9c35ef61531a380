import Glibc
package import Primitives

/// A child that is spoken to over its standard input and answers on its standard output.
package final class ChildConversation {
    package let child: ChildProcess
    private let writer: Int32
    private let reader: Int32
    private var received: [UInt8] = []

    package init(_ arguments: [String], environment: [String: String], log: Int32 = -1) throws {
        signal(SIGPIPE, SIG_IGN)
        let input = try makePipe()
        let output = try makePipe()
        child = try ChildProcess(
            arguments, environment: environment, input: input.reader, output: output.writer, log: log)
        close(input.reader)
        close(output.writer)
        writer = input.writer
        reader = output.reader
    }

    deinit {
        close(writer)
        close(reader)
    }

    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
            guard count > 0 else { throw ChildProcess.Failure(description: "the child takes nothing any more") }
            rest = rest.dropFirst(count)
        }
    }

    /// What stands before the next `separator`, which is taken away too; `nil` at the deadline.
    package func take(until separator: [UInt8], by deadline: MonoTime) throws -> [UInt8]? {
        var searched = 0
        while true {
            if let range = received[searched...].firstRange(of: separator) {
                let taken = Array(received[..<range.lowerBound])
                received.removeSubrange(..<range.upperBound)
                return taken
            }
            searched = max(0, received.count - separator.count + 1)
            guard try fill(by: deadline) else { return nil }
        }
    }

    /// The next `count` bytes; `nil` at the deadline.
    package func take(_ count: Int, by deadline: MonoTime) throws -> [UInt8]? {
        while received.count < count {
            guard try fill(by: deadline) else { return nil }
        }
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    private func fill(by deadline: MonoTime) throws -> Bool {
        let left = (deadline - MonoTime.now()).milliseconds
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        guard left > 0, poll(&entry, 1, Int32(left.rounded(.up))) > 0 else { return false }
        let count = withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
            let count = read(reader, buffer.baseAddress, buffer.count)
            if count > 0 { received += buffer[..<count] }
            return count
        }
        guard count > 0 else { throw ChildProcess.Failure(description: "the child has ended its output") }
        return true
    }
}
