import Foundation
import Primitives
import Reactor
import Signaling

/// `invites.json` of the state directory: the key that signs invites, and what has become of the invites of the rooms
/// that are hosted here. Both in one file, so that no used or withdrawn invite is good again because half was lost.
@EngineActor
final class InviteStore {
    private struct Contents: Codable {
        var key: Data
        /// The newest first.
        var rooms: [Room] = []
    }

    private struct Room: Codable {
        var name: String
        var record: InviteBook.Record
    }

    private static let roomLimit = 64

    /// Called with one line when the file cannot be written.
    var onFailure: ((String) -> Void)?
    private let path: String
    private let signer: RoomTokenSigner
    private var rooms: [Room]

    /// Reads the file. One that cannot be understood is written anew with a new key: all earlier invites are void.
    init(path: String) {
        self.path = path
        var generator = SystemRandomNumberGenerator()
        let kept = Self.read(path)
        signer = kept.flatMap { RoomTokenSigner(key: [UInt8]($0.key)) } ?? RoomTokenSigner(using: &generator)
        rooms = kept?.rooms ?? []
        for index in rooms.indices { rooms[index].record.prune(at: Self.now) }
    }

    /// The book of a room as it was left, or a new one.
    func book(of room: RoomName) -> InviteBook {
        var generator = SystemRandomNumberGenerator()
        return InviteBook(
            room: room, signer: signer, record: rooms.first { $0.name == room.text }?.record ?? .init(),
            nonces: SplitMix64(seed: generator.next()))
    }

    /// Writes down what has become of a room's invites.
    func keep(_ record: InviteBook.Record, of room: RoomName) {
        rooms.removeAll { $0.name == room.text }
        rooms.insert(Room(name: room.text, record: record), at: 0)
        rooms = Array(rooms.prefix(Self.roomLimit))
        do {
            let data = try JSONEncoder().encode(Contents(key: Data(signer.key), rooms: rooms))
            try PrivateFile.write([UInt8](data), to: path)
        } catch {
            Log.warning("invites", "\(error)")
            onFailure?("invites cannot be kept for the next start: \(error)")
        }
    }

    /// The room has closed: whom its host has let in has to knock again next time.
    func endSession(of room: RoomName) {
        guard var record = rooms.first(where: { $0.name == room.text })?.record, !record.admitted.isEmpty else {
            return
        }
        record.admitted = []
        keep(record, of: room)
    }

    /// The time of day in Unix seconds.
    static var now: Double {
        WallClock.now().unixSeconds(at: .now())
    }

    private static func read(_ path: String) -> Contents? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        do {
            return try JSONDecoder().decode(Contents.self, from: data)
        } catch {
            Log.warning("invites", "\(path) cannot be understood; earlier invites are void: \(error)")
            return nil
        }
    }
}
