import ControlProtocol
import Primitives

/// Which people are shown, and in which order.
extension ConsoleModel {
    /// How long somebody has to be the dominant speaker to go first: who says a word moves nobody.
    static let promotionTime = Duration.seconds(2)

    /// Takes over who came and who went; nobody else moves.
    mutating func refreshOrder() {
        let present = call?.people ?? [:]
        let joined = call?.order.filter { present[$0] != nil } ?? []
        let known = Set(order)
        order = order.filter { present[$0] != nil } + joined.filter { !known.contains($0) }
        rows = call == nil ? [] : [Self.me] + order
    }

    /// Who speaks goes first, unless somebody is selected: then no row moves.
    mutating func promoteSpeaker() {
        guard hasMeters, let speaking = levels.speaking, speaking != Self.me else {
            speakingSince = nil
            return
        }
        guard let since = speakingSince, since.id == speaking else {
            speakingSince = (speaking, now.mono)
            return
        }
        guard selectedID == nil, now.mono - since.time >= Self.promotionTime, order.first != speaking,
            let index = order.firstIndex(of: speaking)
        else { return }
        order.insert(order.remove(at: index), at: 0)
        rows = [Self.me] + order
    }

    /// Takes over which rows the filter leaves.
    mutating func refreshShownRows() {
        let wanted = filter.lowercased()
        shownRows = filter.isEmpty ? rows : rows.filter { name(of: $0).lowercased().contains(wanted) }
        refreshSelection()
    }

    /// Takes over which row is selected: the chosen one, else who joined first, whoever speaks. What the filter hides is
    /// not selected.
    mutating func refreshSelection() {
        let call = filter.isEmpty ? call : nil
        let first = call?.order.first { call?.people[$0] != nil }
        selectionIndex =
            selectedID.flatMap { shownRows.firstIndex(of: $0) } ?? first.flatMap { shownRows.firstIndex(of: $0) }
            ?? shownRows.firstIndex { $0 != Self.me } ?? (shownRows.isEmpty ? nil : 0)
    }

    /// The selected row's id.
    var selection: String? {
        selectionIndex.map { shownRows[$0] }
    }

    /// As many rows as `count`, the selected one among them, and the place of the first.
    func visibleRows(_ count: Int) -> ArraySlice<String> {
        guard shownRows.count > count, count > 0 else { return shownRows.prefix(max(0, count)) }
        let start = max(0, min((selectionIndex ?? 0) - count / 2, shownRows.count - count))
        return shownRows[start..<start + count]
    }

    /// Takes the levels of the last second into the last ten.
    mutating func updateTalk() {
        let second = now.mono.nanoseconds / 1_000_000_000
        let people = call?.people ?? [:]
        for (id, level) in levels.people where people[id] != nil {
            talk[id, default: TalkHistory()].update(levelDBov: level, second: second)
        }
        if let level = levels.microphone {
            talk[Self.me, default: TalkHistory()].update(levelDBov: level, second: second)
        }
        talk = talk.filter { $0.key == Self.me || people[$0.key] != nil }
    }
}

/// How loud somebody was in each of the last ten seconds.
struct TalkHistory: Hashable, Sendable {
    static let seconds = 10

    /// The loudest of each second, the newest last; −127: nothing was heard.
    private(set) var levels = [Int](repeating: -127, count: seconds)
    private var second: Int64 = 0

    mutating func update(levelDBov level: Int, second: Int64) {
        advance(to: second)
        levels[Self.seconds - 1] = max(levels[Self.seconds - 1], level)
    }

    /// The levels as they are to be shown in `second`.
    func levels(at second: Int64) -> [Int] {
        var copy = self
        copy.advance(to: second)
        return copy.levels
    }

    private mutating func advance(to now: Int64) {
        let gone = min(max(0, now - second), Int64(Self.seconds))
        levels = levels.dropFirst(Int(gone)) + [Int](repeating: -127, count: Int(gone))
        second = max(second, now)
    }
}
