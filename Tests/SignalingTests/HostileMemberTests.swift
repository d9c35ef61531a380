import Foundation
import Primitives
import Reactor
import TestSupport
import Testing

@testable import Signaling

/// A served room with two members who talk, and a third one who does everything wrong: each wrong thing is refused with
/// a reason, and the two lose nothing.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct HostileMemberTests {
    /// Two members of a room, and proof that they still hear each other.
    @EngineActor
    private final class Scene {
        let room: LiveRoom
        let host: Guest
        let ann: Guest
        let annID: MemberID
        private var count = 0

        init() async throws {
            room = try LiveRoom(.tls(TestCertificates.first))
            host = Guest(hosting: room, "host")
            #expect(await host.welcome() != nil)
            ann = try room.join("ann")
            annID = try #require(await ann.welcome()?.id)
        }

        func link(_ role: RoomRole, isSingleUse: Bool = false, expiry: UInt64? = nil) throws -> RoomLink {
            let made = try room.server.makeInvite(role, isSingleUse: isSingleUse, expiry: expiry, to: room.room)
            return try room.link(token: try #require(made).token)
        }

        /// Why nobody comes in by `link`.
        func refusal(_ link: RoomLink) async throws -> RefusalCode? {
            let guest = try room.join("eve", link: link)
            guard case .refused(let refusal) = await guest.end() else { return nil }
            #expect(!refusal.reason.isEmpty)
            return refusal.code
        }

        func expectNothingLost() async {
            count += 1
            let word = PeerMessage.candidate(PeerCandidate(candidate: "word \(count)"))
            host.client?.send(word, to: annID)
            let heard = await ann.event { if case .message(_, word) = $0 { true } else { false } }
            #expect(heard != nil)
            for guest in [host, ann] {
                #expect(!guest.events.contains { if case .reconnecting = $0 { true } else { false } })
            }
        }
    }

    /// A connection that speaks the protocol by hand.
    @EngineActor
    private final class Hostile {
        let channel: WebSocketChannel
        private(set) var heard: [ServerMessage] = []
        private(set) var isClosed = false

        init(_ scene: Scene) async throws {
            channel = WebSocketChannel(link: try scene.room.link())
            var isOpen = false
            channel.open { [weak self] event in
                switch event {
                case .opened: isOpen = true
                case .closed: self?.isClosed = true
                case .message(let bytes):
                    let message = try? RoomProtocol.decode(ServerMessage.self, from: bytes.span.bytes)
                    message.map { self?.heard.append($0) }
                }
            }
            #expect(await eventually { isOpen })
            let hello = Hello(
                room: scene.room.room.text, token: scene.room.token.text, name: "eve", identity: "identity-of-eve-01",
                session: RoomClient.makeSecret())
            channel.send(RoomProtocol.encode(ClientMessage.hello(hello)))
            #expect(await eventually { if case .welcome = self.heard.first { true } else { false } })
        }

        var refusal: Refusal? {
            for case .refused(let refusal) in heard { return refusal }
            return nil
        }
    }

    @Test @EngineActor func wrongUsedExpiredAndWithdrawnLinksAreRefusedByName() async throws {
        let scene = try await Scene()
        var generator = SystemRandomNumberGenerator()
        #expect(try await scene.refusal(scene.room.link(token: RoomToken(using: &generator))) == .notAdmitted)
        let once = try scene.link(.guest, isSingleUse: true)
        let bob = try scene.room.join("bob", link: once)
        #expect(await bob.welcome() != nil)
        #expect(try await scene.refusal(once) == .used)
        #expect(try await scene.refusal(scene.link(.guest, expiry: 1)) == .expired)
        let withdrawn = try scene.link(.host)
        #expect(scene.room.server.revoke(4, removing: false, in: scene.room.room))
        #expect(try await scene.refusal(withdrawn) == .revoked)
        await scene.expectNothingLost()
        #expect(scene.room.server.members(of: scene.room.room).map(\.name) == ["host", "ann", "bob"])
    }

    @Test(arguments: [1 << 20, 150_000]) @EngineActor
    func aDescriptionThatIsTooLongCostsItsSenderTheSeat(_ count: Int) async throws {
        let scene = try await Scene()
        let eve = try await Hostile(scene)
        let offer = PeerMessage.description(PeerDescription(kind: .offer, sdp: String(repeating: "a", count: count)))
        eve.channel.send(RoomProtocol.encode(ClientMessage.relay(to: scene.annID, offer)))
        #expect(await eventually { eve.isClosed })
        #expect(eve.refusal?.reason.contains("at most 131072 are taken") == true)
        #expect(await eventually { !scene.room.server.members(of: scene.room.room).contains { $0.name == "eve" } })
        #expect(!scene.ann.events.contains { if case .message(_, .description) = $0 { true } else { false } })
        await scene.expectNothingLost()
    }

    @Test @EngineActor func aThousandCandidatesAreCutOffAsAFlood() async throws {
        let scene = try await Scene()
        let eve = try await Hostile(scene)
        for number in 0..<1000 {
            let candidate = PeerMessage.candidate(PeerCandidate(candidate: "candidate:\(number)"))
            eve.channel.send(RoomProtocol.encode(ClientMessage.relay(to: scene.annID, candidate)))
        }
        #expect(await eventually { eve.isClosed })
        #expect(eve.refusal?.code == .rate)
        let relayed = scene.ann.events.count { if case .message(_, .candidate) = $0 { true } else { false } }
        #expect(relayed <= 320, "\(relayed)")
        await scene.expectNothingLost()
    }

    @Test @EngineActor func whatOnlyAHostMayDoIsRefusedAndTheSeatIsKept() async throws {
        let scene = try await Scene()
        let eve = try await Hostile(scene)
        for message in [
            ClientMessage.host(.kick(scene.annID, reason: nil)), .host(.admit(scene.annID)),
            .host(.extend(scene.annID, seconds: nil)), .leave(closes: true), .renew(token: "nonsense"),
        ] {
            eve.channel.send(RoomProtocol.encode(message))
        }
        #expect(await eventually { eve.heard.count { if case .error = $0 { true } else { false } } == 5 })
        await scene.expectNothingLost()
        #expect(scene.room.server.members(of: scene.room.room).count == 3)
    }
}
