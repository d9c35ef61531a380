import ControlProtocol
import Primitives
import TestSupport
import Testing

/// A guest who tries everything, against a real core over TLS, while two others talk.
@Suite(.serialized) struct HostileGuestTests {
    /// One whole run of attempts, and what the two others had of it.
    private struct Siege {
        let answers: [String: JSONValue]
        let toll: CallToll

        init(of pair: TonePair, in room: SoundingCore, link: String) throws {
            let links = try [
                link, Self.invite(room, ["uses": .integer(1)]), Self.invite(room, ["expires": .integer(1)]),
                Self.invite(room, [:]),
            ]
            let bob = try SoundingCore("bob", pulse: nil, network: room.program.network)
            try bob.join(links[1])
            try bob.call("call.leave")
            try room.call("room.revoke", ["invite": .integer(4)])
            let guest = try PythonGuest("hostile_guest", links, network: room.program.network)
            toll = try CallToll(pair) { guest.isGoingOn }
            answers = Dictionary(uniqueKeysWithValues: guest.reports.map { ($0["attempt"]?.stringValue ?? "", $0) })
        }

        private static func invite(_ room: SoundingCore, _ kind: [String: JSONValue]) throws -> String {
            guard case .array(let links)? = try room.call("room.invite", kind)["links"] else { return "" }
            return links.first?.stringValue ?? ""
        }

        func code(_ attempt: String) -> String? {
            answers[attempt]?["code"]?.stringValue
        }

        func reason(_ attempt: String) -> String {
            answers[attempt]?["reason"]?.stringValue ?? ""
        }
    }

    @Test func everythingThatIsRefusedIsRefusedWithAReasonAndNotHeard() throws {
        let network = try NetworkNamespace(hasInterface: true)
        let pair = try TonePair(usesTLS: true, network: network)
        try #require(pair.hearEachOther())
        let siege = try Siege(of: pair, in: pair.a, link: pair.link)
        for (attempt, code) in [
            "wrong token": "notAdmitted", "wrong room": "notAdmitted", "used invite": "used",
            "expired invite": "expired", "revoked invite": "revoked", "long name": "invalid",
            "long description": "tooLong", "description of 1 MB": "tooLong", "1000 candidates": "rate",
        ] {
            #expect(siege.code(attempt) == code, "\(attempt)")
            #expect(siege.reason(attempt).contains(" "), "\(attempt): in words")
        }
        #expect(siege.reason("wrong token") == siege.reason("wrong room"), "nothing is told of what there is")
        #expect(siege.reason("other origin").contains("403"))
        // These go through to the members, each of whom refuses for itself; the person is told.
        for attempt in ["description of 70 KB", "description with 1000 candidates"] {
            #expect(siege.code(attempt) == "stays")
        }
        #expect(siege.answers["other fingerprint"]?["code"] == .array([.string("failed")]), "never connected")
        for core in [pair.a, pair.b] {
            for (name, words) in ["mal": "65536", "ned": "candidates", "oscar": "somebody is in between"] {
                let isTold = try core.wait { core in
                    core.events.contains { $0.text.contains("no connection to \(name)") && $0.text.contains(words) }
                }
                #expect(isTold, "\(core.name) of \(name): \(core.events.map(\.text))")
            }
            #expect(!core.events.contains { $0.kind == .memberLost || $0.kind == .interrupted })
        }
        try siege.toll.expectNothingHeard {
            let bystander = try SoundingCore("c", pulse: nil, network: network)
            return try Siege(of: pair, in: bystander, link: try bystander.host("room", with: TonePair.overTLS)).toll
        }
        #expect(try pair.a.waitForPeople(1) && pair.b.waitForPeople(1))
    }
}
