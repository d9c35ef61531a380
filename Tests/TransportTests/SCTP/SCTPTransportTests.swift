import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

/// Two associations whose packets are passed on by hand.
@EngineActor
final class AssociationPair {
    let client: SCTPTransport
    let server: SCTPTransport
    let clientSide = Side()
    let serverSide = Side()
    /// Changes a packet under way; `nil` loses it.
    var change: ([UInt8]) -> [UInt8]? = { $0 }

    @EngineActor final class Side {
        var packets: [[UInt8]] = []
        var events: [DataChannelEvent] = []

        func messages(on id: DataChannelID) -> [DataMessage] {
            events.compactMap { if case .message(id, let message) = $0 { message } else { nil } }
        }
    }

    init(clientLimit: Int = SCTPTransport.messageLimit) throws {
        let (clientSide, serverSide) = (clientSide, serverSide)
        client = try SCTPTransport(
            SCTPParameters(remotePort: 5000, remoteMessageLimit: clientLimit), isDTLSClient: true,
            onPacket: { clientSide.packets.append($0) }, onEvent: { clientSide.events.append($0) })
        server = try SCTPTransport(
            SCTPParameters(remotePort: 5000, remoteMessageLimit: SCTPTransport.messageLimit), isDTLSClient: false,
            onPacket: { serverSide.packets.append($0) }, onEvent: { serverSide.events.append($0) })
    }

    func connect() async throws -> Bool {
        try client.connect()
        try server.connect()
        return await eventually { self.client.state == .connected && self.server.state == .connected }
    }

    /// Waits, passing packets on meanwhile.
    func eventually(within limit: Duration = .seconds(20), _ condition: @EngineActor () -> Bool) async -> Bool {
        await TestSupport.eventually(within: limit) {
            self.exchange()
            return condition()
        }
    }

    /// Passes packets on until none is left.
    func exchange() {
        while !clientSide.packets.isEmpty || !serverSide.packets.isEmpty {
            let (fromClient, fromServer) = (clientSide.packets, serverSide.packets)
            (clientSide.packets, serverSide.packets) = ([], [])
            for packet in fromClient.compactMap(change) { server.receive(packet) }
            for packet in fromServer.compactMap(change) { client.receive(packet) }
        }
    }

    func close() {
        client.close()
        exchange()
        server.close()
    }
}

@Suite(.serialized) @EngineActor struct SCTPTransportTests {
    private static let chat = DataChannelOptions(label: "chat")
    private static let zero = DataChannelID(0)

    @Test func agreedChannelsCarryMessagesBothWaysInOrder() async throws {
        let pair = try AssociationPair()
        defer { pair.close() }
        for side in [pair.client, pair.server] { try side.add(Self.zero, Self.chat) }
        #expect(try await pair.connect())
        #expect(pair.clientSide.events == [.opened(Self.zero, Self.chat)])
        let texts = (0..<100).map { DataMessage.text("message \($0)") }
        for text in texts {
            try pair.client.send(text, on: Self.zero)
            try pair.server.send(text, on: Self.zero)
        }
        #expect(await pair.eventually { pair.serverSide.messages(on: Self.zero).count == 100 })
        #expect(await pair.eventually { pair.clientSide.messages(on: Self.zero).count == 100 })
        #expect(pair.serverSide.messages(on: Self.zero) == texts)
        #expect(pair.clientSide.messages(on: Self.zero) == texts)
    }

    @Test(arguments: [true, false])
    func eitherSideOpensAndEitherSideCloses(_ isClient: Bool) async throws {
        let pair = try AssociationPair()
        defer { pair.close() }
        #expect(try await pair.connect())
        let (opener, openerSide) = isClient ? (pair.client, pair.clientSide) : (pair.server, pair.serverSide)
        let (other, otherSide) = isClient ? (pair.server, pair.serverSide) : (pair.client, pair.clientSide)
        let id = try opener.open(Self.chat)
        try opener.send(.text("at once"), on: id)
        #expect(await pair.eventually { openerSide.events.contains(.opened(id, Self.chat)) })
        #expect(otherSide.events == [.opened(id, Self.chat), .message(id, .text("at once"))])
        try other.send(.binary([1, 2, 3]), on: id)
        other.close(id)
        #expect(await pair.eventually { openerSide.events.contains(.closed(id, reason: nil)) })
        #expect(openerSide.messages(on: id) == [.binary([1, 2, 3])], "what was sent before the closing arrives")
        #expect(await pair.eventually { (try? opener.open(Self.chat)) == id }, "the number is free again")
    }

    @Test func aMessageOf256KiBArrivesWholeAndALongerOneIsNotSent() async throws {
        let pair = try AssociationPair()
        defer { pair.close() }
        for side in [pair.client, pair.server] { try side.add(Self.zero, Self.chat) }
        #expect(try await pair.connect())
        let bytes = (0..<SCTPTransport.messageLimit).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
        try pair.client.send(.binary(bytes), on: Self.zero)
        #expect(await pair.eventually { pair.serverSide.messages(on: Self.zero) == [.binary(bytes)] })
        #expect(throws: DataChannelError.messageTooLong(byteCount: 262_145, limit: 262_144)) {
            try pair.client.send(.binary(bytes + [0]), on: Self.zero)
        }
    }

    @Test func aMessageLongerThanOfferedClosesItsChannelAndNoOther() async throws {
        let pair = try AssociationPair()
        defer { pair.close() }
        let one = DataChannelID(1)
        for side in [pair.client, pair.server] {
            try side.add(Self.zero, Self.chat)
            try side.add(one, Self.chat)
        }
        #expect(try await pair.connect())
        let bytes = [UInt8](repeating: 1, count: 400_000)
        pair.client.perform([.send(SCTPMessage(.binary(bytes), stream: 0))])
        #expect(
            await pair.eventually {
                pair.serverSide.events.contains(
                    .closed(Self.zero, reason: "the peer sent a message longer than 262144 bytes"))
            })
        #expect(pair.server.counters.oversizedMessages > 0)
        #expect(await pair.eventually { pair.clientSide.events.contains(.closed(Self.zero, reason: nil)) })
        try pair.client.send(.text("next"), on: one)
        #expect(await pair.eventually { pair.serverSide.messages(on: one) == [.text("next")] })
        #expect(pair.serverSide.messages(on: Self.zero).isEmpty)
    }

    @Test func thePeersLimitHolds() async throws {
        let pair = try AssociationPair(clientLimit: 1000)
        defer { pair.close() }
        try pair.client.add(Self.zero, Self.chat)
        #expect(throws: DataChannelError.messageTooLong(byteCount: 1001, limit: 1000)) {
            try pair.client.send(.text(String(repeating: "a", count: 1001)), on: Self.zero)
        }
    }

    @Test func whatFindsNoRoomWaitsAndMoreThanTheLimitIsRefused() async throws {
        let pair = try AssociationPair()
        defer { pair.close() }
        for side in [pair.client, pair.server] { try side.add(Self.zero, Self.chat) }
        #expect(try await pair.connect())
        let message = DataMessage.binary([UInt8](repeating: 5, count: 64 * 1024))
        var sent = 0
        do {
            while sent < 1000 {
                try pair.client.send(message, on: Self.zero)
                sent += 1
            }
        } catch {
            #expect(error == .bufferFull(limit: SCTPTransport.bufferLimit))
        }
        #expect((16...32).contains(sent), "1 MiB waits, and what the stack holds")
        #expect(pair.client.bufferedAmount > SCTPTransport.bufferLimit - 64 * 1024)
        #expect(await pair.eventually { pair.serverSide.messages(on: Self.zero).count == sent })
        #expect(pair.client.bufferedAmount == 0)
        #expect(pair.clientSide.events.contains(.drained))
    }

    @Test func theEndOfOneSideClosesTheOthersChannels() async throws {
        let pair = try AssociationPair()
        for side in [pair.client, pair.server] { try side.add(Self.zero, Self.chat) }
        #expect(try await pair.connect())
        pair.close()
        guard case .closed(Self.zero, let reason?)? = pair.serverSide.events.last else {
            Issue.record("not closed: \(pair.serverSide.events)")
            return
        }
        #expect(reason.contains("ended"))
        #expect(pair.clientSide.events.last == .closed(Self.zero, reason: nil))
        #expect(throws: DataChannelError.notConnected) { try pair.server.send(.text("x"), on: Self.zero) }
    }

    @Test func twoHundredAssociationsComeAndGo() async throws {
        for round in 0..<200 {
            let pair = try AssociationPair()
            for side in [pair.client, pair.server] { try side.add(Self.zero, Self.chat) }
            // Some end before they are up, some with messages under way, some by only one side's wish.
            try pair.client.connect()
            try pair.server.connect()
            if round % 4 > 0 { #expect(await pair.eventually { pair.server.state == .connected }) }
            if round % 4 > 1 { try pair.server.send(.binary([UInt8](repeating: 1, count: 100_000)), on: Self.zero) }
            if round % 4 > 2 { pair.server.close() } else { pair.close() }
        }
    }

    /// Packets turned bad on the way never do harm; what is checked by checksums is made again for half of them.
    @Test func malformedPacketsAreCountedAndTheRestGoesOn() async throws {
        let pair = try AssociationPair()
        defer { pair.close() }
        for side in [pair.client, pair.server] { try side.add(Self.zero, Self.chat) }
        #expect(try await pair.connect())
        var random = SplitMix64(seed: 3)
        var captured: [[UInt8]] = []
        pair.change = { packet in
            captured.append(packet)
            guard random.next() % 4 == 0 else { return packet }
            var bad = packet
            bad[Int(random.next() % UInt64(bad.count))] ^= UInt8(1 << (random.next() % 8))
            return bad
        }
        let texts = (0..<50).map { DataMessage.text("message \($0) " + String(repeating: "x", count: 900)) }
        for text in texts { try pair.client.send(text, on: Self.zero) }
        #expect(await pair.eventually(within: .seconds(60)) { pair.serverSide.messages(on: Self.zero) == texts })
        #expect(pair.server.counters.malformedPackets > 0)
        pair.change = { $0 }
        for _ in 0..<20_000 {
            var packet = captured[Int(random.next() % UInt64(captured.count))]
            for _ in 0...random.next() % 4 {
                packet[Int(random.next() % UInt64(packet.count))] = UInt8(random.next() & 255)
            }
            if random.next() % 8 == 0 { packet.removeLast(Int(random.next() % UInt64(packet.count))) }
            if random.next() % 2 == 0, packet.count > 12 { packet.setChecksum() }
            pair.server.receive(packet)
            pair.serverSide.packets = []
        }
    }
}

extension [UInt8] {
    /// Makes the SCTP checksum right (RFC 9260, appendix A).
    fileprivate mutating func setChecksum() {
        for index in 8..<12 { self[index] = 0 }
        var remainder: UInt32 = 0xFFFF_FFFF
        for byte in self {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1 }
        }
        for index in 0..<4 { self[8 + index] = UInt8(truncatingIfNeeded: ~remainder >> (8 * UInt32(index))) }
    }
}
