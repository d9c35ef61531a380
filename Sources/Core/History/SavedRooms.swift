import Foundation
package import Primitives

/// The names that `hoot join` takes, without asking a core.
package enum SavedRooms {
    /// Whether a room of that name was joined or hosted before.
    package static func contain(_ name: String, in directories: Directories) -> Bool {
        guard let data = FileManager.default.contents(atPath: directories.historyPath),
            let entries = try? JSONDecoder().decode([RoomHistory.Entry].self, from: data)
        else { return false }
        return entries.contains { $0.isCalled(name) }
    }
}
