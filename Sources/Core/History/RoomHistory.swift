import ControlProtocol
import Foundation
import Primitives
import Reactor
import Signaling

/// The rooms that were joined, newest first, with their links: a file of the state directory that only the user reads.
@EngineActor
final class RoomHistory {
    /// One remembered room.
    struct Entry: Codable, Hashable {
        var name: String
        var host: String
        /// The link with its secret; `nil` for rooms that were hosted here.
        var link: String?
        /// Milliseconds since 1970.
        var lastJoinedAt: Int
    }

    private(set) var entries: [Entry] = []
    private let path: String
    private static let limit = 50

    /// Reads the file; one that cannot be read is an empty history and stays until the next call.
    init(path: String) {
        self.path = path
        guard let data = FileManager.default.contents(atPath: path) else { return }
        do {
            for entry in try JSONDecoder().decode([Entry].self, from: data) where !entries.contains(where: entry.isRoom)
            {
                entries.append(entry)
            }
        } catch {
            Log.warning("history", "\(path) cannot be understood and will be written anew: \(error)")
        }
    }

    /// The newest room called `name` that can be joined; `NAME@HOST` and `NAME@HOST:PORT` are those at that host.
    func link(named name: String) -> String? {
        entries.first { $0.isCalled(name) }?.link
    }

    /// Whether the newest room called `name` was at `host`.
    func newest(_ name: String, isAt host: String) -> Bool {
        entries.first { $0.name == name }?.host == host
    }

    /// Puts a room on top.
    func remember(_ entry: Entry) {
        entries.removeAll(where: entry.isRoom)
        entries.insert(entry, at: 0)
        entries = Array(entries.prefix(Self.limit))
        save()
    }

    /// The rooms as consoles see them: without secrets.
    var recentRooms: [RecentRoom] {
        entries.prefix(9).map {
            RecentRoom(name: $0.name, host: shownHost(of: $0), lastJoinedAt: $0.lastJoinedAt, isSaved: $0.link != nil)
        }
    }

    /// The host, with its port where it has another room of that name.
    private func shownHost(of entry: Entry) -> String {
        let isShared = entries.contains { $0.name == entry.name && $0.host == entry.host && !$0.isRoom(entry) }
        return isShared ? entry.place ?? entry.host : entry.host
    }

    private func save() {
        do throws(UserFacingError) {
            try PrivateFile.write((try? JSONEncoder().encode(entries)).map { [UInt8]($0) } ?? [], to: path)
        } catch {
            Log.warning("history", error.description)
        }
    }
}

extension RoomHistory.Entry {
    /// Whether both are one room, by what their links say; without a link a host has one room of a name.
    func isRoom(_ other: Self) -> Bool {
        guard name == other.name else { return false }
        guard let link = address, let other = other.address else { return host == other.host }
        return link.isSameRoom(as: other)
    }

    /// Whether it can be joined by `words`: its name, or with its host behind it, or with host and port.
    func isCalled(_ words: String) -> Bool {
        guard link != nil, words != name else { return link != nil }
        return [host, place].contains { place in place.map { "\(name)@\($0)" } == words }
    }

    /// `HOST:PORT`; `nil` without a link.
    fileprivate var place: String? {
        address.map { "\(host.contains(":") ? "[\(host)]" : host):\($0.port)" }
    }

    private var address: RoomLink? {
        link.flatMap { try? RoomLink($0) }
    }
}
