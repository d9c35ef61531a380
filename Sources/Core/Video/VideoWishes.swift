import ControlProtocol
import MediaEngine
import Signaling

/// Whose pictures are wanted here, and which: what the user has said, and what consoles show.
struct VideoWishes: Hashable {
    /// What one person's picture is wanted for.
    struct Watch: Hashable {
        var width: Int
        var height: Int
    }

    /// Whether nobody's picture is received (A173).
    private(set) var hidesEveryone = false
    /// Whether later joiners' are not received (A34).
    var hidesJoiners = false
    private var hidden: [String: Bool] = [:]
    private var layers: [String: PictureWish.Layer] = [:]
    /// Whose picture goes before everybody else's (A77); `nil`: nobody's. One person only: another one takes the place.
    private(set) var prioritized: String?
    /// What the others give up for it.
    var priority = PicturePriority()
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
        if prioritized == id { prioritize(nil) }
    }

    mutating func prioritize(_ id: String?) {
        guard id != prioritized else { return }
        prioritized = id
        priority = PicturePriority()
    }

    /// `nil`: as the screen needs.
    mutating func setLayer(_ layer: PictureWish.Layer?, _ id: String) {
        layers[id] = layer
    }

    /// Which picture of this person is asked for. What nobody looks at is not sent.
    func wish(for id: String) -> PictureWish.Layer {
        guard !isHidden(id), let watch = watched[id] else { return .none }
        if let prioritized, prioritized != id {
            switch priority.concession {
            case .none: break
            case .high: return .low
            case .everything: return .none
            }
        }
        if let layer = layers[id] { return layer }
        let isSmall = watch.width <= VideoLayer.lowSize.width && watch.height <= VideoLayer.lowSize.height
        return isSmall ? .low : .high
    }
}
