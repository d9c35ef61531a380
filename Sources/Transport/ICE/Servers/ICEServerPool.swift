import Primitives
package import Reactor

/// The STUN and TURN servers of one call, made ready once for all of its peers: names resolved, round trips measured.
@EngineActor
package final class ICEServerPool {
    private struct Entry {
        let server: ICEServer
        var route: ICEServerRoute?
        var failure: ICEServerFailure?
        var isStarted = false
        /// Whether it was looked into why this server relays nothing.
        var isExamined = false
    }

    /// What TLS to these servers is checked by.
    let authorities: TLSAuthorities
    private let own: [ICEServer]
    private var entries: [Entry] = []
    /// Those that the room hands out; they come after our own.
    package var roomServers: [ICEServer] = [] {
        didSet { update() }
    }
    private var reported: Set<ICEServerFailure> = []
    /// Tells answers of an earlier network from those of this one.
    private var generation = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var limit: EngineTimer?
    private var isOverdue = false
    /// Called with each server that is of no use, once for each reason.
    package var onFailure: (@EngineActor (ICEServerFailure) -> Void)?

    /// How long peers wait for what is not known yet.
    private static let patience = Duration.seconds(1)
    /// How much later than the first TURN server others may answer; they would not be chosen.
    private static let margin = Duration.milliseconds(100)
    private static let mostServers = 16

    /// - Parameter authorityFile: a PEM file with the authorities for TURN over TLS; empty: those of the system.
    package init(_ servers: [ICEServer] = [], authorityFile: String = "") {
        own = servers
        authorities = TLSAuthorities(file: authorityFile)
        limit = EngineTimer { [weak self] in self?.timeIsUp() }
        update()
    }

    /// Whether any of the servers is one that relays, of use or not.
    package var hasRelays: Bool {
        entries.contains { $0.server.kind == .turn }
    }

    /// Measures all of them anew: the network has changed.
    package func refresh() {
        generation += 1
        entries = entries.map { Entry(server: $0.server) }
        start()
    }

    /// The servers to use, once it is known which; after a second at most, with what is known then.
    func routes() async -> [ICEServerRoute] {
        while !isSettled {
            await withCheckedContinuation { waiting.append($0) }
        }
        return ICEServerRoute.chosen(from: entries.compactMap(\.route))
    }

    /// Looks into why servers gave no relay, once for each.
    func examine(_ servers: [ICEServer]) {
        for index in entries.indices where servers.contains(entries[index].server) && !entries[index].isExamined {
            guard let route = entries[index].route else { continue }
            entries[index].isExamined = true
            run(route.server) { check throws(ICEServerFailure) in _ = try await check.allocate(at: route.address) }
        }
    }

    /// Each name is known, and of several TURN servers the nearest.
    private var isSettled: Bool {
        let relayCount = entries.count { $0.server.kind == .turn }
        return isOverdue
            || entries.allSatisfy { entry in
                guard entry.failure == nil else { return true }
                return entry.server.kind == .turn && relayCount > 1
                    ? entry.route?.roundTrip != nil : entry.route != nil
            }
    }

    /// Begins to measure what is new, up to 16 servers in all.
    private func update() {
        var former = entries
        entries = []
        for server in own + roomServers where index(of: server) == nil && entries.count < Self.mostServers {
            let known = former.firstIndex { $0.server == server }
            entries.append(known.map { former.remove(at: $0) } ?? Entry(server: server))
        }
        start()
    }

    private func start() {
        isOverdue = false
        if !isSettled { limit?.arm(after: Self.patience) }
        for index in entries.indices where !entries[index].isStarted {
            entries[index].isStarted = true
            let server = entries[index].server
            run(server) { [weak self, generation] check throws(ICEServerFailure) in
                let address = try await check.address()
                self?.set(ICEServerRoute(server: server, address: address), of: generation)
                let report = try await check.measure(at: address)
                self?.set(
                    ICEServerRoute(server: server, address: address, roundTrip: report.roundTrip), of: generation)
            }
        }
        proceed()
    }

    private func run(
        _ server: ICEServer, _ work: @escaping @EngineActor (ICEServerCheck) async throws(ICEServerFailure) -> Void
    ) {
        let check = ICEServerCheck(server, authorities: authorities)
        Task { [weak self, generation] in
            do throws(ICEServerFailure) {
                if server.kind == .turn, server.credentials == nil {
                    throw ICEServerFailure(server, .noCredentials)
                }
                try await work(check)
            } catch {
                self?.failed(error, of: generation)
            }
        }
    }

    private func set(_ route: ICEServerRoute, of generation: Int) {
        guard generation == self.generation, let index = index(of: route.server) else { return }
        entries[index].route = route
        if route.roundTrip != nil, route.server.kind == .turn {
            let end = MonoTime.now() + Self.margin
            limit?.arm(at: limit?.deadline.map { min($0, end) })
        }
        proceed()
    }

    private func failed(_ failure: ICEServerFailure, of generation: Int) {
        guard generation == self.generation, let index = index(of: failure.server) else { return }
        entries[index].route = nil
        entries[index].failure = failure
        proceed()
        if reported.insert(failure).inserted { onFailure?(failure) }
    }

    private func index(of server: ICEServer) -> Int? {
        entries.firstIndex { $0.server == server }
    }

    private func timeIsUp() {
        isOverdue = true
        proceed()
    }

    /// Lets those go on who wait, where there is nothing more to wait for.
    private func proceed() {
        guard isSettled else { return }
        limit?.cancel()
        let resumed = waiting
        waiting = []
        for continuation in resumed { continuation.resume() }
    }
}
