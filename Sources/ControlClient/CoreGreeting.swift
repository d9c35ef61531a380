import ControlProtocol

/// What the core said to `core.hello`.
package struct CoreGreeting: Codable, Hashable, Sendable {
    /// The core's protocol version.
    package var `protocol`: Int
    /// The core's own version.
    package var version: String
    package var pid: Int
    package var host: String

    package init(protocol: Int, version: String, pid: Int, host: String) {
        self.protocol = `protocol`
        self.version = version
        self.pid = pid
        self.host = host
    }

    /// Whether the two sides speak different versions, so that only the frozen methods are offered.
    package var isFrozenOnly: Bool {
        `protocol` != ProtocolVersion.current
    }

    /// What to tell the user about a mismatch.
    package var mismatchText: String {
        "the core is version \(version) (protocol \(`protocol`)), this console speaks \(ProtocolVersion.current): "
            + "only mute and leave work; `hoot core stop && hoot` restarts it and ends its call"
    }
}

extension CoreConnection {
    /// Exchanges versions: the first thing to do with a connection.
    package func greet(version: String) throws(ClientError) -> CoreGreeting {
        let reply = try call(
            "core.hello", ["protocol": .integer(ProtocolVersion.current), "version": .string(version)])
        guard let greeting: CoreGreeting = try? reply.decoded() else {
            throw .lost("it answered core.hello with something else")
        }
        return greeting
    }
}
