/// Why a STUN or TURN server is of no use; its description is one line for a person, and shows no secret.
package struct ICEServerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: Error, Hashable, Sendable {
        case unknownName
        /// No connection, or none of TLS; why, in the words of the layer below.
        case unreachable(String)
        /// Nothing came back in time.
        case silent
        case certificate(String)
        /// Neither credentials nor a secret to make them of.
        case noCredentials
        case wrongCredentials
        /// Another error of STUN (RFC 8489, section 14.8) or TURN (RFC 8656, section 19).
        case refused(code: Int)
        /// What came back is no answer.
        case nonsense
    }

    package var server: ICEServer
    package var reason: Reason

    package init(_ server: ICEServer, _ reason: Reason) {
        self.server = server
        self.reason = reason
    }

    package var description: String {
        "\(server): \(words)"
    }

    /// As the description, without the server.
    package var words: String {
        reason.words
    }
}

extension ICEServerFailure.Reason {
    fileprivate var words: String {
        switch self {
        case .unknownName: "its name is not known; check network.ice-servers and the resolver"
        case .unreachable(let why): "cannot be reached: \(why)"
        case .silent: "does not answer; it is down, or a firewall is between"
        case .certificate(let why): "its certificate is not trusted: \(why); network.turn-ca names another authority"
        case .noCredentials: "needs turn:USER:SECRET@HOST, or network.turn-secret"
        case .wrongCredentials: "does not take these credentials; check user and secret, and this machine's clock"
        case .refused(let code): "refuses with \(code)\(Self.meaning(of: code))"
        case .nonsense: "what answers there does not speak STUN"
        }
    }

    private static func meaning(of code: Int) -> String {
        switch code {
        case 300: " (it sends us to another server)"
        case 403: " (forbidden)"
        case 440: " (it has no address of that family)"
        case 486: " (this user has too many relays there already)"
        case 508: " (it has no free ports)"
        default: ""
        }
    }
}
