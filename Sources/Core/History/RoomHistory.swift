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

    /// The newest room called `name` that can be joined; `NAME@HOST` is the one at that host.
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
            RecentRoom(name: $0.name, host: $0.host, lastJoinedAt: $0.lastJoinedAt, isSaved: $0.link != nil)
        }
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
    /// Whether both are one room: by the same address, or at another one by a link with the same certificate or token.
    func isRoom(_ other: Self) -> Bool {
        guard name == other.name, host != other.host else { return name == other.name }
        guard let link = link.flatMap({ try? RoomLink($0) }), let other = other.link.flatMap({ try? RoomLink($0) })
        else { return false }
        return link.isSameRoom(as: other)
    }

    /// Whether it can be joined by `words`: its name, or with its host behind it.
    func isCalled(_ words: String) -> Bool {
        link != nil && (name == words || "\(name)@\(host)" == words)
    }
}
