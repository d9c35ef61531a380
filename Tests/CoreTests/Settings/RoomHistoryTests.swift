import ControlProtocol
import Foundation
import Reactor
import TestSupport
import Testing

@testable import Core

@EngineActor @Suite struct RoomHistoryTests {
    private static let token = String(repeating: "A", count: 24)
    private static let pins = ["B", "C"].map { String(repeating: $0, count: 42) + "A" }

    private func entry(
        _ host: String, port: Int = 7443, _ name: String = "den", pin: Int? = 0, token: String = token, at time: Int
    ) -> RoomHistory.Entry {
        let link = "https://\(host):\(port)/r/\(name)#\(token)" + (pin.map { "." + Self.pins[$0] } ?? "")
        return RoomHistory.Entry(name: name, host: host, link: link, lastJoinedAt: time)
    }

    @Test func aRoomThatIsReachedByTwoAddressesIsListedOnce() throws {
        let directory = try TemporaryDirectory("hoot-history")
        let path = directory.path + "/history.json"
        let (other, third) = (String(repeating: "D", count: 24), String(repeating: "E", count: 24))
        let entries = [
            entry("pi", at: 1), entry("192.168.1.2", token: other, at: 2),
            entry("10.0.0.9", pin: 1, token: third, at: 3),
            entry("meet.example", pin: nil, token: other, at: 4), entry("pi", "lab", at: 5),
        ]
        let history = RoomHistory(path: path)
        for entry in entries { history.remember(entry) }
        #expect(history.recentRooms.map(\.host) == ["pi", "meet.example", "10.0.0.9"])
        #expect(history.recentRooms.addresses == ["lab", "den", "den@10.0.0.9"])
        #expect(history.link(named: "den") == entries[3].link)
        #expect(history.link(named: "den@10.0.0.9") == entries[2].link)
        // A file of before is read so too.
        try JSONEncoder().encode([entries[1], entries[0]]).write(to: URL(fileURLWithPath: path))
        #expect(RoomHistory(path: path).recentRooms.map(\.host) == ["192.168.1.2"])
    }

    @Test func twoPortsOfAHostAreTwoRooms() throws {
        let directory = try TemporaryDirectory("hoot-history")
        let history = RoomHistory(path: directory.path + "/history.json")
        let (other, third) = (String(repeating: "D", count: 24), String(repeating: "E", count: 24))
        let (first, second) = (entry("pi", at: 1), entry("pi", port: 443, pin: 1, token: other, at: 2))
        for entry in [first, second, entry("pi", port: 443, pin: 1, token: third, at: 3), first] {
            history.remember(entry)
        }
        #expect(history.recentRooms.map(\.host) == ["pi:7443", "pi:443"])
        #expect(history.recentRooms.addresses == ["den", "den@pi:443"])
        #expect(history.link(named: "den@pi:443")?.contains(third) == true)
        #expect(history.link(named: "den@pi") == first.link && history.link(named: "den@pi:7443") == first.link)
        #expect(history.link(named: "den@pi:1") == nil)
    }
}
