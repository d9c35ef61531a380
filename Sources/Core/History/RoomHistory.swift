import ControlProtocol
import Foundation
import Primitives
import Reactor

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
            entries = try JSONDecoder().decode([Entry].self, from: data)
        } catch {
            Log.warning("history", "\(path) cannot be understood and will be written anew: \(error)")
        }
    }

    /// The newest room called `name` that can be joined.
    func link(named name: String) -> String? {
        entries.first { $0.name == name && $0.link != nil }?.link
    }

    /// Whether the newest room called `name` was at `host`.
    func newest(_ name: String, isAt host: String) -> Bool {
        entries.first { $0.name == name }?.host == host
    }

    /// Puts a room on top.
    func remember(_ entry: Entry) {
        entries.removeAll { $0.name == entry.name && $0.host == entry.host }
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
