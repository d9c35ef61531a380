import Primitives
import Testing

@testable import SDP

/// Two negotiations over a pair of message queues, each of which keeps its order.
struct Pair {
    var polite: Side
    var impolite: Side
    /// How many messages of each side have been delivered.
    private var delivered = (polite: 0, impolite: 0)

    init(seed: UInt64 = 0, configure: (inout NegotiationConfiguration) -> Void = { _ in }) {
        polite = Side(isPolite: true, seed: seed, configure: configure)
        impolite = Side(isPolite: false, seed: seed, configure: configure)
    }

    subscript(isPolite isPolite: Bool) -> Side {
        get { isPolite ? polite : impolite }
        set { if isPolite { polite = newValue } else { impolite = newValue } }
    }

    /// Delivers the next message of one side; `false`: there is none.
    @discardableResult mutating func deliver(fromPolite: Bool) -> Bool {
        if fromPolite {
            guard delivered.polite < polite.outbox.count else { return false }
            impolite.receive(polite.outbox[delivered.polite])
            delivered.polite += 1
        } else {
            guard delivered.impolite < impolite.outbox.count else { return false }
            polite.receive(impolite.outbox[delivered.impolite])
            delivered.impolite += 1
        }
        return true
    }

    /// Loses the messages on their way.
    mutating func loseMessages() {
        delivered = (polite.outbox.count, impolite.outbox.count)
    }

    /// Delivers everything, in an order that `generator` chooses; returns how many messages that took.
    @discardableResult mutating func drain(using generator: inout SplitMix64) -> Int {
        var count = 0
        while count < 200 {
            let first = Bool.random(using: &generator)
            guard deliver(fromPolite: first) || deliver(fromPolite: !first) else { return count }
            count += 1
        }
        Issue.record("the two never come to rest")
        return count
    }

    mutating func drain() {
        var generator = SplitMix64(seed: 1)
        drain(using: &generator)
    }

    /// Both rest, and what each was told is the mirror of what the other was told.
    func expectAgreement(_ comment: Comment? = nil) throws {
        for side in [polite, impolite] {
            #expect(side.negotiation.phase == .stable && side.refusals.isEmpty && !side.isStopped, comment)
            #expect(side.transports.last == side.negotiation.transport && side.media.last == side.negotiation.media)
        }
        let (ours, theirs) = (try #require(polite.transports.last), try #require(impolite.transports.last))
        #expect(ours.local == theirs.remote && ours.remote == theirs.local, comment)
        #expect(ours.isControlling != theirs.isControlling && ours.isDTLSClient != theirs.isDTLSClient, comment)
        #expect(ours.fingerprints == [Side.fingerprints[false]] && theirs.fingerprints == [Side.fingerprints[true]])
        let (mine, other) = (try #require(polite.media.last), try #require(impolite.media.last))
        #expect(mine.direction == other.direction.reversed, comment)
        #expect(other.receiving.contains(mine.sending) && mine.receiving.contains(other.sending), comment)
        #expect(mine.mid == other.mid && mine.audioLevelExtension == other.audioLevelExtension)
        #expect(mine.audioLevelExtension == 1 && mine.midExtension == 4 && mine.isRTCPReducedSize)
    }

    /// How both roles of the whole call look; they must not change.
    var roles: [Bool] {
        polite.transports.map(\.isControlling) + polite.transports.map(\.isDTLSClient)
    }
}
