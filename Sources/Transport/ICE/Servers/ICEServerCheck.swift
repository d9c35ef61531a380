import Primitives
package import Reactor

/// Whether one STUN or TURN server is of use to us: it answers, how soon, and for TURN takes our credentials.
@EngineActor
package struct ICEServerCheck {
    /// What a server that answers has told.
    package struct Report: Hashable, Sendable {
        /// The address that was asked, in numbers.
        package var address: String
        package var roundTrip: Duration
        /// The address that the server sees us by.
        package var mapped: String
        /// The address that it relays for us; `nil`: not asked for.
        package var relayed: String?
    }

    private let server: ICEServer
    private let authorities: TLSAuthorities
    /// For the name, and then again for all the rest.
    private let limit: Duration

    init(_ server: ICEServer, authorities: TLSAuthorities, limit: Duration = .seconds(2)) {
        self.server = server
        self.authorities = authorities
        self.limit = limit
    }

    /// - Parameter authorityFile: as in `network.turn-ca`; empty: what the system trusts.
    package init(_ server: ICEServer, authorityFile: String, limit: Duration = .seconds(2)) {
        self.init(server, authorities: TLSAuthorities(file: authorityFile), limit: limit)
    }

    /// Everything, in this order; the address is given back at once.
    package func run() async throws(ICEServerFailure) -> Report {
        let address = try await address()
        var report = try await measure(at: address)
        if server.kind == .turn { report.relayed = try await allocate(at: address) }
        return report
    }

    /// The server's address in numbers.
    func address() async throws(ICEServerFailure) -> String {
        let addresses = await HostLookup.addresses(of: server.host, within: limit)
        // A reflexive or relayed address is wanted where there is NAT, which is IPv4.
        guard let address = addresses.first(where: { !$0.contains(":") }) ?? addresses.first else {
            throw ICEServerFailure(server, .unknownName)
        }
        return address
    }

    /// The round trip, by a binding request (RFC 8489, section 3).
    func measure(at address: String) async throws(ICEServerFailure) -> Report {
        let codec = STUNCodec(credentials: nil)
        let stream = try await connect(to: address)
        let sent = MonoTime.now()
        switch try await exchange(codec.bindingRequest(), codec, over: stream) {
        case .bound(let mapped): return Report(address: address, roundTrip: .now() - sent, mapped: mapped)
        case .refused(let code): throw ICEServerFailure(server, .refused(code: code))
        case .allocated, .challenged, .wrongCredentials, .unrelated: throw ICEServerFailure(server, .nonsense)
        }
    }

    /// Has an address relayed (RFC 8656, section 7), gives it back, and tells which it was.
    func allocate(at address: String) async throws(ICEServerFailure) -> String {
        guard let credentials = server.credentials else { throw ICEServerFailure(server, .noCredentials) }
        let codec = STUNCodec(credentials: credentials)
        let stream = try await connect(to: address)
        // Unauthenticated, authenticated, and once more where the nonce has become stale meanwhile.
        for _ in 0..<3 {
            switch try await exchange(codec.allocateRequest(), codec, over: stream) {
            case .challenged: continue
            case .allocated(let relayed):
                try? await stream.write(codec.releaseRequest())
                return relayed
            case .wrongCredentials: throw ICEServerFailure(server, .wrongCredentials)
            case .refused(let code): throw ICEServerFailure(server, .refused(code: code))
            case .bound, .unrelated: throw ICEServerFailure(server, .nonsense)
            }
        }
        throw ICEServerFailure(server, .wrongCredentials)
    }

    private func connect(to address: String) async throws(ICEServerFailure) -> ServerStream {
        try await ServerStream.connect(
            to: server, at: address, authorities: authorities, Cancellation(after: limit))
    }

    /// Sends a request, again where it may have got lost, and waits for its answer.
    private func exchange(
        _ request: [UInt8], _ codec: STUNCodec, over stream: ServerStream
    ) async throws(ICEServerFailure) -> STUNCodec.Answer {
        var timer: EngineTimer?
        timer = EngineTimer {
            timer?.arm(after: Self.repeatInterval)
            Task { try? await stream.write(request) }
        }
        defer { timer = nil }
        do throws(ICEServerFailure.Reason) {
            try await stream.write(request)
            if !stream.isReliable { timer?.arm(after: Self.repeatInterval) }
            while true {
                let answer = codec.answer(try await stream.readMessage())
                if answer != .unrelated { return answer }
            }
        } catch {
            throw ICEServerFailure(server, error)
        }
    }

    private static let repeatInterval = Duration.milliseconds(250)
}
