import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

/// Data channels over ICE and DTLS.
@Suite(.serialized) @EngineActor struct PeerDataTests {
    private static let chat = DataChannelOptions(label: "chat")
    private static let zero = DataChannelID(0)
    private static let parameters = SCTPParameters(remotePort: 5000, remoteMessageLimit: SCTPTransport.messageLimit)

    private func connect(_ pair: PeerPair) async throws -> Bool {
        try await pair.signal()
        for peer in [pair.offerer, pair.answerer] {
            try peer.transport.startData(Self.parameters)
            try peer.transport.data?.add(Self.zero, Self.chat)
        }
        return await eventually {
            pair.isConnected && pair.offerer.transport.data?.state == .connected
                && pair.answerer.transport.data?.state == .connected
        }
    }

    @Test(arguments: [DTLSRole.client, .server])
    func dataAndMediaShareThePath(_ role: DTLSRole) async throws {
        let pair = try PeerPair()
        pair.answererRole = role
        defer { pair.close() }
        #expect(try await connect(pair))
        try pair.offerer.transport.data?.send(.text("hello"), on: Self.zero)
        #expect(await eventually { pair.answerer.messages == [.text("hello")] })
        #expect(await pair.exchangesMedia())
        let id = try #require(try pair.answerer.transport.data?.open(DataChannelOptions(label: "files")))
        #expect(id.rawValue.isMultiple(of: 2) == (role == .client))
        #expect(await eventually { pair.offerer.data.contains(.opened(id, DataChannelOptions(label: "files"))) })
        #expect(pair.offerer.transport.statistics.sctpState == .connected)
    }

    @Test func everythingArrivesInOrderAndWholeAtTenPercentLoss() async throws {
        var conditions = LossyLink.Conditions()
        conditions.loss = .random(rate: 0.1)
        conditions.delay = .milliseconds(5)
        var (one, two) = (PeerPair.loopback, PeerPair.loopback)
        one.impairment = LossyLink(conditions, seed: 1)
        two.impairment = LossyLink(conditions, seed: 2)
        let pair = try PeerPair(one, two)
        defer { pair.close() }
        #expect(try await connect(pair))
        let large = (0..<SCTPTransport.messageLimit).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        let messages = (0..<20).map { DataMessage.text("message \($0)") } + [.binary(large), .text("last")]
        for message in messages {
            try pair.offerer.transport.data?.send(message, on: Self.zero)
        }
        for message in messages.prefix(20) { try pair.answerer.transport.data?.send(message, on: Self.zero) }
        #expect(await eventually(within: .seconds(60)) { pair.answerer.messages.count == messages.count })
        let isWhole = pair.answerer.messages == messages
        #expect(isWhole)
        #expect(await eventually { pair.offerer.messages == Array(messages.prefix(20)) })
        #expect(pair.offerer.transport.statistics.impairmentLostCount > 0)
    }

    @Test func anICERestartAndTheSameAgreementKeepTheAssociation() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await connect(pair))
        _ = try pair.offerer.transport.restartICE()
        try pair.answer()
        pair.offerer.transport.gatherCandidates()
        pair.answerer.transport.gatherCandidates()
        try pair.takeAnswer()
        try pair.offerer.transport.startData(Self.parameters)
        try pair.offerer.transport.data?.send(.text("still here"), on: Self.zero)
        #expect(await eventually { pair.answerer.messages == [.text("still here")] })
        #expect(pair.offerer.data == [.opened(Self.zero, Self.chat)])
        #expect(pair.offerer.transport.statistics.selectedPairChanges > 0)
    }

    @Test func hangingUpClosesTheChannelsOfTheOtherSide() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await connect(pair))
        pair.offerer.transport.close()
        #expect(await eventually { pair.answerer.hasRemoteClosed })
        guard case .closed(Self.zero, _)? = pair.answerer.data.last else {
            Issue.record("\(pair.answerer.data)")
            return
        }
        #expect(pair.answerer.transport.statistics.sctpState == .closed)
    }

    @Test func dataThatWasNotAgreedOnIsCountedAndHarmless() async throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await pair.connect())
        try pair.offerer.transport.startData(Self.parameters)
        #expect(await eventually { pair.answerer.transport.statistics.drops.strayData > 0 })
        #expect(pair.answerer.transport.statistics.sctpState == nil)
        #expect(await pair.exchangesMedia())
    }

    @Test func dataNeedsToKnowThePeer() throws {
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(throws: TransportError.self) { try pair.offerer.transport.startData(Self.parameters) }
    }
}
