import ControlProtocol
import Signaling

/// Whose pictures are wanted here, and which: what the user has said, and what consoles show.
struct VideoWishes: Hashable {
    /// What one person's picture is wanted for.
    struct Watch: Hashable {
        var width: Int
        var height: Int
    }

    /// A larger picture than this on a screen asks for the high layer.
    static let lowLayer = Watch(width: 320, height: 180)

    /// Whether nobody's picture is received (A173).
    private(set) var hidesEveryone = false
    /// Whether later joiners' are not received (A34).
    var hidesJoiners = false
    private var hidden: [String: Bool] = [:]
    private var layers: [String: PictureWish.Layer] = [:]
    /// The largest picture of each person that a console shows.
    var watched: [String: Watch] = [:]

    /// Whether this person's picture is not wanted.
    func isHidden(_ id: String) -> Bool {
        hidden[id] ?? hidesEveryone
    }

    /// Hides one person, or shows them; while everybody is hidden, nobody can be shown alone (A33.1).
    mutating func setHidden(_ isHidden: Bool, _ id: String) throws(CallError) {
        guard isHidden || !hidesEveryone else {
            throw CallError(
                .refused, "nobody's picture is received; lift that first: hoot ctl participants.hide on=off")
        }
        hidden[id] = isHidden
    }

    mutating func setEveryoneHidden(_ isHidden: Bool) {
        hidesEveryone = isHidden
        hidden.removeAll()
    }

    mutating func joined(_ id: String) {
        guard hidden[id] == nil, hidesJoiners else { return }
        hidden[id] = true
    }

    mutating func left(_ id: String) {
        hidden[id] = nil
        layers[id] = nil
    }

    /// `nil`: as the screen needs.
    mutating func setLayer(_ layer: PictureWish.Layer?, _ id: String) {
        layers[id] = layer
    }

    /// Which picture of this person is asked for. What nobody looks at is not sent.
    func wish(for id: String) -> PictureWish.Layer {
        guard !isHidden(id), let watch = watched[id] else { return .none }
        if let layer = layers[id] { return layer }
        return watch.width > Self.lowLayer.width || watch.height > Self.lowLayer.height ? .high : .low
    }
}
