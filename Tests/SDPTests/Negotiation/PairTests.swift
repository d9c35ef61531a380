import Primitives
import Testing

@testable import SDP

@Suite struct PairTests {
    private func connected() throws -> Pair {
        var pair = Pair()
        pair.impolite.run { $0.start() }
        pair.drain()
        try pair.expectAgreement()
        return pair
    }

    @Test(arguments: [true, false])
    func oneOffersTheOtherAnswers(isPolite: Bool) throws {
        var pair = Pair()
        pair[isPolite: isPolite].run { $0.start() }
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.polite.outbox.count == 1 && pair.impolite.outbox.count == 1)
        #expect(pair[isPolite: isPolite].transports[0].isControlling)
        #expect(pair.polite.media.last?.direction == .sendrecv && pair.polite.media.last?.sending.codec == .opus)
        #expect(pair.polite.media.last?.telephoneEvents == PayloadType(110))
    }

    /// Both offer at once; every order in which the messages can then arrive.
    @Test(arguments: 0..<16)
    func glareEndsTheSameInEveryOrder(order: Int) throws {
        var pair = Pair()
        pair.polite.run { $0.start() }
        pair.impolite.run { $0.start() }
        for bit in 0..<4 {
            let fromPolite = order >> bit & 1 == 1
            if !pair.deliver(fromPolite: fromPolite) { pair.deliver(fromPolite: !fromPolite) }
        }
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.polite.rollbackCount == 1 && pair.impolite.rollbackCount == 0)
        #expect(pair.impolite.negotiation.counters.ignoredOffers == 1)
        #expect(pair.impolite.transports[0].isControlling, "the offer that stood was the impolite one's")
        #expect(pair.polite.transports.count == 1 && pair.impolite.transports.count == 1)
    }

    @Test func holdStopsBothDirectionsAndResumeBringsThemBack() throws {
        var pair = try connected()
        pair.polite.run { $0.setDirection(.inactive) }
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.polite.media.last?.direction == .inactive && pair.polite.media.last?.isHeldByPeer == false)
        #expect(pair.impolite.media.last?.direction == .inactive && pair.impolite.media.last?.isHeldByPeer == true)
        pair.polite.run { $0.setDirection(.inactive) }
        #expect(pair.polite.outbox.count == 2, "twice hold is one hold")
        pair.polite.run { $0.setDirection(.sendrecv) }
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.impolite.media.last?.direction == .sendrecv && pair.impolite.media.last?.isHeldByPeer == false)
        #expect(pair.polite.transports.count == 1, "the transport was never touched")
    }

    @Test func whenBothHoldTheLastToResumeBringsTheCallBack() throws {
        var pair = try connected()
        pair.polite.run { $0.setDirection(.inactive) }
        pair.drain()
        pair.impolite.run { $0.setDirection(.inactive) }
        pair.drain()
        #expect(pair.polite.media.last?.isHeldByPeer == true && pair.impolite.media.last?.isHeldByPeer == true)
        pair.polite.run { $0.setDirection(.sendrecv) }
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.polite.media.last?.direction == .inactive && pair.polite.media.last?.isHeldByPeer == true)
        #expect(pair.impolite.media.last?.isHeldByPeer == false)
        pair.impolite.run { $0.setDirection(.sendrecv) }
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.polite.media.last?.direction == .sendrecv && pair.polite.media.last?.isHeldByPeer == false)
    }

    @Test func musicOnHoldIsSendonly() throws {
        var pair = try connected()
        pair.impolite.run { $0.setDirection(.sendonly) }
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.polite.media.last?.direction == .recvonly && pair.polite.media.last?.isHeldByPeer == true)
    }

    @Test(arguments: [true, false])
    func anICERestartRenewsTheCredentialsOfBoth(isPolite: Bool) throws {
        var pair = try connected()
        let before = try #require(pair.polite.transports.last)
        let roles = pair.roles
        pair[isPolite: isPolite].run { $0.restartICE() }
        #expect(pair[isPolite: isPolite].transports.count == 1, "nothing is applied before the answer")
        pair.drain()
        try pair.expectAgreement()
        let after = try #require(pair.polite.transports.last)
        #expect(after.local != before.local && after.remote != before.remote && after.isRestart)
        #expect(pair.polite.transports.count == 2 && pair.impolite.transports.count == 2)
        #expect(roles == [before.isControlling, before.isDTLSClient])
        #expect([after.isControlling, after.isDTLSClient] == roles, "a restart changes no role")
        #expect(pair.polite.media.count == 1, "media is not touched")
    }

    @Test func aNewGenerationHasItsOwnCandidates() throws {
        var pair = try connected()
        try pair.impolite.gather()
        pair.drain()
        pair.impolite.run { $0.restartICE() }
        let offer = try #require(pair.impolite.lastDescription)
        #expect(offer.sections[0].candidates.isEmpty, "those of before are for other sockets")
        try pair.impolite.gather()
        pair.drain()
        #expect(pair.polite.candidates.isEmpty, "one of the old generation came too late")
        try pair.impolite.gather()
        pair.drain()
        #expect(pair.polite.candidates.map(\.foundation) == ["3"])
        pair.impolite.run { $0.setDirection(.sendonly) }
        #expect(pair.impolite.lastDescription?.sections[0].candidates.map(\.foundation) == ["3"])
        pair.drain()
        try pair.expectAgreement()
    }

    @Test func aRestartThatGivesWayIsMadeUpForByThePeers() throws {
        var pair = try connected()
        pair.polite.run { $0.restartICE() }
        pair.impolite.run { $0.restartICE() }
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.polite.rollbackCount == 1)
        #expect(pair.polite.transports.count == 2, "one restart serves both")
    }

    @Test func aRestartThatGivesWayToAnotherWishIsOfferedAgain() throws {
        var pair = try connected()
        let before = pair.polite.transports.last
        pair.polite.run { $0.restartICE() }
        pair.impolite.run { $0.setDirection(.sendonly) }
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.polite.rollbackCount == 1 && pair.polite.transports.count == 2)
        #expect(pair.polite.transports.last?.local != before?.local)
        #expect(pair.polite.media.last?.direction == .recvonly)
    }

    @Test func aWishDuringAnOpenOfferIsOfferedAfterIt() throws {
        var pair = Pair()
        pair.impolite.run { $0.start() }
        pair.impolite.run { $0.setDirection(.recvonly) }
        pair.impolite.run { $0.setDirection(.inactive) }
        #expect(pair.impolite.outbox.count == 1)
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.impolite.outbox.count == 2 && pair.polite.media.last?.direction == .inactive)
    }

    @Test func credentialsThatChangeUnaskedInAnAnswerLeadToAWholeRestart() throws {
        var pair = try connected()
        pair.impolite.run { $0.setDirection(.sendonly) }
        let other = try #require(ICEParameters(ufrag: "other", password: "otherotherotherotherother"))
        let known = try #require(pair.polite.transports.last)
        pair.deliver(fromPolite: false)
        guard case .description(var answer)? = pair.polite.outbox.last else { return }
        answer.text = answer.text.replacing(known.local.ufrag, with: other.ufrag)
            .replacing(known.local.password, with: other.password)
        pair.impolite.receive(.description(answer))
        #expect(pair.impolite.transports.last?.remote == other && pair.impolite.transports.last?.isRestart == true)
        #expect(pair.impolite.negotiation.phase == .haveLocalOffer, "a restart offer is out")
    }

    @Test func lostMessagesAreMadeUpForWhenTheSignallingIsBack() throws {
        for lost in 0..<2 {
            var pair = Pair()
            pair.impolite.run { $0.start() }
            if lost == 1 { pair.deliver(fromPolite: false) }
            pair.loseMessages()
            pair.polite.run { $0.signalingRestored() }
            pair.impolite.run { $0.signalingRestored() }
            pair.drain()
            try pair.expectAgreement()
            #expect(pair.polite.transports.count == 1 && pair.impolite.transports.count == 1)
        }
    }

    @Test func candidatesThatAnIgnoredOfferBroughtAreNotLost() throws {
        var pair = Pair()
        let candidate = try CandidateAttribute(parsing: CandidateAttributeTests.lines[0])
        pair.polite.run { $0.start() }
        pair.impolite.run { $0.start() }
        pair.polite.run { $0.gathered(candidate) }
        pair.polite.run { $0.gatheringDone() }
        pair.deliver(fromPolite: true)
        pair.deliver(fromPolite: true)
        pair.drain()
        try pair.expectAgreement()
        #expect(pair.impolite.candidates == [candidate] && pair.impolite.isEnded)
    }

    /// Everything at once: wishes, restarts, candidates and deliveries in an order drawn from a seed.
    @Test func whateverTheOrderBothEndInAgreement() throws {
        for seed in 0..<600 {
            var generator = SplitMix64(seed: UInt64(seed))
            var pair = Pair(seed: UInt64(seed))
            var wishes = [true: MediaDirection.sendrecv, false: .sendrecv]
            pair[isPolite: Bool.random(using: &generator)].run { $0.start() }
            for _ in 0..<60 {
                let side = Bool.random(using: &generator)
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: pair[isPolite: side].run { $0.start() }
                case 1, 2:
                    let direction = MediaDirection.allCases.randomElement(using: &generator) ?? .sendrecv
                    wishes[side] = direction
                    pair[isPolite: side].run { $0.setDirection(direction) }
                case 3: pair[isPolite: side].run { $0.restartICE() }
                case 4: try pair[isPolite: side].gather()
                default: pair.deliver(fromPolite: side)
                }
            }
            let messageCount = pair.drain(using: &generator)
            #expect(messageCount < 80)
            try pair.expectAgreement("seed \(seed)")
            let (mine, other) = (wishes[true] ?? .sendrecv, wishes[false] ?? .sendrecv)
            #expect(pair.polite.media.last?.direction == mine.intersection(other.reversed), "seed \(seed)")
            #expect(pair.polite.candidates.count == pair.impolite.gatheredCount, "seed \(seed)")
            #expect(pair.impolite.candidates.count == pair.polite.gatheredCount, "seed \(seed)")
            #expect(Set(pair.polite.transports.map(\.isControlling)).count == 1, "seed \(seed)")
            #expect(Set(pair.polite.transports.map(\.isDTLSClient)).count == 1, "seed \(seed)")
        }
    }
}
