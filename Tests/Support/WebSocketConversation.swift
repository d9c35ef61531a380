import Glibc
package import Primitives

/// A WebSocket (RFC 6455) to a server in a test's own network, for text messages; spoken through a child that is there.
package final class WebSocketConversation {
    private let conversation: ChildConversation

    /// Connects to `ws://127.0.0.1:PORT/PATH`, trying until `deadline` if nobody listens yet.
    package init(
        port: Int, path: String, headers: [String] = [], network: NetworkNamespace, by deadline: MonoTime
    ) throws {
        conversation = try ChildConversation(
            network.prefix + [
                "bash", "-c", Self.relay, "bash", "\(port)", "\(max(1, Int((deadline - .now()).seconds)))",
            ],
            environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
        let lines =
            [
                "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ] + headers
        try conversation.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        let answer = try conversation.take(until: Array("\r\n\r\n".utf8), by: deadline) ?? []
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 101") else {
            throw ChildProcess.Failure(description: "no WebSocket at port \(port): \(text.prefix(200))")
        }
    }

    package func send(_ text: String) throws {
        let payload = Array(text.utf8)
        var frame: [UInt8] = [0x81]
        switch payload.count {
        case ..<126: frame.append(0x80 | UInt8(payload.count))
        case ..<65536: frame += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: frame += [0xFF] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        // Firefox takes no mask of zeros.
        let mask: [UInt8] = [1, 2, 3, 4]
        try conversation.send(frame + mask + payload.indices.map { payload[$0] ^ mask[$0 & 3] })
    }

    /// The next text message; `nil` at the deadline.
    package func receive(by deadline: MonoTime) throws -> [UInt8]? {
        var message: [UInt8] = []
        while let head = try conversation.take(2, by: deadline) {
            var count = Int(head[1] & 0x7F)
            if count >= 126 {
                guard let length = try conversation.take(count == 126 ? 2 : 8, by: deadline) else { return nil }
                count = length.reduce(0) { $0 << 8 | Int($1) }
            }
            guard let payload = try conversation.take(count, by: deadline) else { return nil }
            guard head[0] & 0x0F != 8 else {
                throw ChildProcess.Failure(
                    description: "the WebSocket was closed: \(String(decoding: payload.dropFirst(2), as: UTF8.self))")
            }
            guard head[0] & 0x0F <= 1 else { continue }
            message += payload
            if head[0] & 0x80 != 0 { return message }
        }
        return nil
    }

    /// Between the pipes and the connection; `$1`: the port, `$2`: for how many seconds to try.
    private static let relay = """
        end=$((SECONDS + $2))
        until (exec 3<>/dev/tcp/127.0.0.1/$1) 2>/dev/null; do
            [ $SECONDS -lt $end ] || exit 1
            sleep 0.05
        done
        exec 3<>/dev/tcp/127.0.0.1/$1
        cat <&3 &
        exec cat >&3
        """
}
