import Primitives
import Testing

@testable import Transport

@Suite struct DataChannelsTests {
    private static let chat = DataChannelOptions(label: "chat")

    private func control(_ control: DataChannelControl, _ stream: UInt16) -> SCTPMessage {
        SCTPMessage(stream: stream, payloadType: .control, bytes: control.bytes)
    }

    private func text(_ text: String, _ stream: UInt16) -> SCTPMessage {
        SCTPMessage(.text(text), stream: stream)
    }

    private func connected(isClient: Bool = true) -> DataChannels {
        var channels = DataChannels(isDTLSClient: isClient)
        _ = channels.connected(streamCount: 256)
        return channels
    }

    @Test func theClientOpensEvenNumbersAndTheServerOddOnes() throws {
        for (isClient, numbers) in [(true, [0, 2, 4]), (false, [1, 3, 5])] as [(Bool, [UInt16])] {
            var channels = connected(isClient: isClient)
            for number in numbers { #expect(try channels.open(Self.chat).0 == DataChannelID(number)) }
        }
    }

    @Test func anOpeningIsAcknowledgedAndThenBothSidesAreOpen() throws {
        var (client, server) = (connected(), connected(isClient: false))
        let (id, sent) = try client.open(Self.chat)
        #expect(sent == [.send(control(.open(Self.chat), 0))])
        #expect(
            server.receive(control(.open(Self.chat), 0)) == [
                .send(control(.acknowledgement, 0)), .event(.opened(id, Self.chat)),
            ])
        #expect(client.receive(control(.acknowledgement, 0)) == [.event(.opened(id, Self.chat))])
        #expect(server.receive(text("hi", 0)) == [.event(.message(id, .text("hi")))])
    }

    @Test func nothingOvertakesTheOpening() throws {
        var options = Self.chat
        options.isOrdered = false
        options.reliability = .retransmissions(2)
        var channels = connected()
        let (id, _) = try channels.open(options)
        #expect(try channels.send(.text("early"), on: id).isOrdered)
        _ = channels.receive(control(.acknowledgement, 0))
        let sent = try channels.send(.text("later"), on: id)
        #expect(!sent.isOrdered)
        #expect(sent.reliability == .retransmissions(2))
    }

    @Test func agreedChannelsOpenWithTheAssociation() throws {
        var channels = DataChannels(isDTLSClient: true)
        #expect(try channels.add(DataChannelID(0), Self.chat) == [])
        #expect(channels.connected(streamCount: 16) == [.event(.opened(DataChannelID(0), Self.chat))])
        #expect(try channels.add(DataChannelID(5), Self.chat) == [.event(.opened(DataChannelID(5), Self.chat))])
        #expect(throws: DataChannelError.unusableNumber(0)) { try channels.add(DataChannelID(0), Self.chat) }
        #expect(throws: DataChannelError.unusableNumber(16)) { try channels.add(DataChannelID(16), Self.chat) }
        #expect(try channels.open(Self.chat).0 == DataChannelID(2))
    }

    @Test func aPeerWithFewerStreamsClosesWhatIsBeyond() throws {
        var channels = DataChannels(isDTLSClient: true)
        _ = try channels.add(DataChannelID(0), Self.chat)
        _ = try channels.add(DataChannelID(9), Self.chat)
        let actions = channels.connected(streamCount: 8)
        #expect(actions.first == .event(.opened(DataChannelID(0), Self.chat)))
        #expect(actions.last == .event(.closed(DataChannelID(9), reason: "the peer has not so many streams")))
        for _ in 0..<3 { _ = try channels.open(Self.chat) }
        #expect(throws: DataChannelError.noFreeNumber) { try channels.open(Self.chat) }
    }

    @Test func openingsThatAPeerMayNotMakeAreRefusedByAReset() throws {
        var channels = connected()
        #expect(channels.receive(control(.open(Self.chat), 2)) == [], "our number, and no channel there")
        _ = try channels.add(DataChannelID(1), Self.chat)
        let closed = channels.receive(control(.open(Self.chat), 1))
        #expect(closed == [.reset(stream: 1), .event(.closed(DataChannelID(1), reason: nil))])
        #expect(channels.receive(control(.open(Self.chat), 257)) == [], "beyond the streams")
        #expect(channels.counters.refusedOpenings == 3)
    }

    @Test func aNumberIsFreeWhenBothDirectionsAreReset() throws {
        var channels = connected()
        let (id, _) = try channels.open(Self.chat)
        _ = channels.receive(control(.acknowledgement, 0))
        #expect(channels.close(id) == [.reset(stream: 0), .event(.closed(id, reason: nil))])
        #expect(channels.close(id) == [], "once")
        #expect(channels.receive(text("late", 0)) == [])
        #expect(throws: DataChannelError.noSuchChannel) { try channels.send(.text("x"), on: id) }
        channels.outgoingReset([0])
        #expect(try channels.open(Self.chat).0 == DataChannelID(2))
        #expect(channels.incomingReset([0]) == [])
        #expect(try channels.open(Self.chat).0 == DataChannelID(0))
    }

    @Test func thePeersResetClosesTheChannelAndIsAnswered() throws {
        var channels = connected(isClient: false)
        _ = channels.receive(control(.open(Self.chat), 0))
        #expect(channels.incomingReset([0, 4]) == [.reset(stream: 0), .event(.closed(DataChannelID(0), reason: nil))])
        channels.outgoingReset([0])
        #expect(
            channels.receive(control(.open(Self.chat), 0)).count == 2, "the number is free for the peer")
    }

    @Test func messagesOfEveryKindArriveAndOthersAreCounted() throws {
        var channels = connected()
        let id = DataChannelID(0)
        _ = try channels.add(id, Self.chat)
        for message: DataMessage in [.text("gr\u{fc}ezi"), .text(""), .binary([1, 2]), .binary([])] {
            #expect(channels.receive(SCTPMessage(message, stream: 0)) == [.event(.message(id, message))])
        }
        #expect(channels.receive(SCTPMessage(stream: 0, payloadType: .string, bytes: [0xC3])) == [])
        #expect(
            channels.receive(SCTPMessage(stream: 0, payloadType: PayloadProtocol(54), bytes: [65])) == [])
        #expect(channels.receive(text("x", 7)) == [])
        #expect(channels.receive(SCTPMessage(stream: 0, payloadType: .control, bytes: [9])) == [])
        #expect(channels.receive(control(.acknowledgement, 0)) == [], "nothing was opened")
        #expect(channels.counters.malformedMessages == 2)
        #expect(channels.counters.strayMessages == 1)
        #expect(channels.counters.malformedControl == 2)
    }

    @Test func aMessageTooLongClosesItsChannelWithTheReason() throws {
        var channels = DataChannels(isDTLSClient: true, messageLimit: 10)
        _ = channels.connected(streamCount: 256)
        _ = try channels.add(DataChannelID(0), Self.chat)
        let ten = SCTPMessage(.binary([UInt8](repeating: 0, count: 10)), stream: 0)
        #expect(channels.receive(ten).count == 1)
        let actions = channels.receive(SCTPMessage(.binary([UInt8](repeating: 0, count: 11)), stream: 0))
        #expect(actions.first == .reset(stream: 0))
        #expect(
            actions.last == .event(.closed(DataChannelID(0), reason: "the peer sent a message longer than 10 bytes")))
        #expect(channels.counters.oversizedMessages == 1)
    }

    @Test func theEndClosesEveryOpenChannelOnce() throws {
        var channels = connected()
        for number in [0, 1, 2] as [UInt16] { _ = try channels.add(DataChannelID(number), Self.chat) }
        _ = channels.close(DataChannelID(1))
        #expect(
            channels.ended(reason: "gone") == [
                .event(.closed(DataChannelID(0), reason: "gone")), .event(.closed(DataChannelID(2), reason: "gone")),
            ])
        #expect(channels.ended(reason: "gone") == [])
    }

    /// Whatever a peer says, the numbers in use stay below the streams, and what is sent is an acknowledgement.
    @Test func twentyThousandSeededMessagesLeaveItInOrder() throws {
        var random = SplitMix64(seed: 7)
        var channels = connected(isClient: false)
        var open: Set<DataChannelID> = []
        for _ in 0..<20_000 {
            let stream = UInt16(random.next() % 300)
            var bytes = DataChannelControlTests.opening(UInt8(random.next() & 0x83))
            if random.next() % 2 == 0 { bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 255) }
            let types: [PayloadProtocol] = [.control, .string, .binary, .emptyString, PayloadProtocol(99)]
            let type = types[Int(random.next() % 5)]
            let actions =
                random.next() % 5 == 0
                ? channels.incomingReset([stream])
                : channels.receive(SCTPMessage(stream: stream, payloadType: type, bytes: bytes))
            for action in actions {
                switch action {
                case .send(let message): #expect(message.bytes == DataChannelControl.acknowledgement.bytes)
                case .reset(let stream): channels.outgoingReset([stream])
                case .event(.opened(let id, _)): #expect(open.insert(id).inserted && id.rawValue < 256)
                case .event(.closed(let id, _)): #expect(open.remove(id) != nil)
                case .event(.message(let id, _)): #expect(open.contains(id))
                case .event(.drained): Issue.record("nothing was sent")
                }
            }
        }
        #expect(!open.isEmpty)
    }
}

@Suite struct SendQueueTests {
    @Test func messagesLeaveInOrderAndTheirBytesAreCounted() {
        var queue = SendQueue()
        for stream in 0..<100 as Range<UInt16> { queue.append(SCTPMessage(.binary([1, 2, 3]), stream: stream)) }
        #expect(queue.byteCount == 300)
        for stream in 0..<100 as Range<UInt16> {
            #expect(queue.holds(stream))
            #expect(queue.first?.stream == stream)
            queue.removeFirst()
            #expect(!queue.holds(stream))
        }
        #expect(queue.first == nil)
        #expect(queue.byteCount == 0)
        queue.removeFirst()
        queue.append(SCTPMessage(.text("x"), stream: 1))
        #expect(queue.first?.stream == 1)
    }
}
