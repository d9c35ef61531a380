import ControlProtocol
import Glibc

/// `hoot host`.
enum HostCommand {
    static let command = Command(
        name: "host", operands: "[ROOM]", summary: "serve a room, print its link, and join it",
        options: [
            Option("listen", argument: "ADDR:PORT", "where to listen (0.0.0.0:7443)"),
            Option("cert", argument: "FILE", "the certificate, PEM; self-signed without it"),
            Option("key", argument: "FILE", "the certificate's private key, PEM"),
            Option("public-address", argument: "ADDR", "the address that others reach this machine by"),
            Option("public-url", argument: "URL", "https://HOST of a reverse proxy; links name it"),
            Option("lobby", "who is no host has to knock first"),
        ] + JoinOptions.options,
        details: """
            Browsers warn about a self-signed certificate; `--cert` and `--key` give a real one. Without either,
            `ssh -L 7443:localhost:7443 THIS-HOST` makes the room reachable at localhost.
            """,
        operandCount: 0...1,
        run: { invocation in
            var parameters = JoinOptions.parameters(invocation)
            parameters["room"] = invocation.operands.first.map { .string($0) }
            parameters["listen"] = invocation.options["listen"].map { .string($0) }
            parameters["certificate"] = invocation.options["cert"].map { .string(absolute($0)) }
            parameters["key"] = invocation.options["key"].map { .string(absolute($0)) }
            parameters["publicAddress"] = invocation.options["public-address"].map { .string($0) }
            parameters["publicUrl"] = invocation.options["public-url"].map { .string($0) }
            parameters["lobby"] = invocation.has("lobby") ? .bool(true) : nil
            let result = try Session.attachOrStart().call("room.host", parameters, within: .seconds(30))
            for link in result["links"].flatMap({ try? $0.decoded(as: [String].self) }) ?? [] { Output.line(link) }
            if let note = result["note"]?.stringValue { Output.write(note + "\n", to: 2) }
            JoinOptions.tellMuted(result, invocation)
            return JoinOptions.detaches(invocation) ? 0 : try ConsoleCommand.open(plain: false)
        })
    /// The core has a working directory of its own.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
        defer { free(directory) }
        return String(cString: directory) + "/" + path
    }
}
