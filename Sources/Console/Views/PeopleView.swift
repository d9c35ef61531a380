import ControlProtocol
import Primitives
import Terminal

/// The people: who speaks, how loud, what is lost of them and by them.
enum PeopleView {
    private typealias Columns = PeopleGrid.Columns

    static func draw(_ model: ConsoleModel, on surface: inout Surface, rows: Range<Int>, _ look: Look) {
        let grid = PeopleGrid(model, columns: surface.size.columns)
        drawTitle(model, on: &surface, row: rows.lowerBound, grid, look)
        let room = (rows.count - 1) * grid.blockCount
        let ids = model.visibleRows(room)
        for (offset, index) in ids.indices.enumerated() {
            let place = grid.place(offset, rows: rows)
            let isSelected = ids[index] == model.selection
            if isSelected { surface.focus = place }
            drawRow(
                ids[index], number: index + 1, isSelected: isSelected, model, on: &surface, place, grid.columns, look)
        }
        let rung = model.rungNames
        for (offset, (name, state)) in zip(ids.count..<max(ids.count, room), rung) {
            let place = grid.place(offset, rows: rows)
            let name = DisplayWidth.clip(name, grid.columns.nameWidth, ellipsis: look.glyphs.ellipsis)
            surface.put(name, row: place.row, column: place.column + Columns.name, style: look[.textFaint])
            put([state.words], .textFaint, on: &surface, place, grid.columns, look)
        }
        if ids.count + rung.count < room {
            drawWaiting(model, on: &surface, grid.place(ids.count + rung.count, rows: rows), grid.blockWidth, look)
        }
    }

    /// Who is not in the call and can be rung, in one row.
    private static func drawWaiting(
        _ model: ConsoleModel, on surface: inout Surface, _ place: Position, _ width: Int, _ look: Look
    ) {
        let names = model.waitingNames
        guard !names.isEmpty else { return }
        let hint = names.count == 1 ? " waits: " : " wait: "
        let end = hint + model.keys.key(of: "ring") + " rings"
        let room = width - Columns.name - 1 - DisplayWidth.of(end)
        guard room > 0 else { return }
        let list = DisplayWidth.clip(names.joined(separator: ", "), room, ellipsis: look.glyphs.ellipsis)
        surface.put(list + end, row: place.row, column: place.column + Columns.name, style: look[.textFaint])
    }

    private static func drawTitle(
        _ model: ConsoleModel, on surface: inout Surface, row: Int, _ grid: PeopleGrid, _ look: Look
    ) {
        let columns = grid.columns
        let title = model.filter.isEmpty ? "People" : "People: \(model.filter)"
        surface.title(title, row: row, isFocused: model.focusedPanel == .people, look)
        let start = DisplayWidth.of(title) + 4
        if !model.filter.isEmpty, model.shownRows.isEmpty {
            let text = " nobody; \(model.keys.key(of: "let-go")) shows all "
            surface.put(text, row: row, column: start, style: look[.textFaint])
            return
        }
        var text = "speaking: "
        if !model.isCurrent {
            text += look.glyphs.unknown
        } else if let id = model.speakingID {
            text += model.name(of: id)
        } else if let last = model.levels.lastSpeaker, let seconds = model.levels.lastSpokeSeconds {
            text = "quiet; last: \(model.name(of: last))"
            if model.hasMeters { text += " \(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)" }
        } else {
            text = "quiet"
        }
        let end = columns.meterWidth >= Meter.leastScale ? columns.meter : columns.level
        if DisplayWidth.of(text) + 2 <= end - start - 1 {
            surface.put(" \(text) ", row: row, column: start, style: look[.textFaint])
        }
        for block in 0..<grid.blockCount {
            let place = Position(row: row, column: block * grid.blockWidth)
            drawHeadings(columns, hasMeters: model.hasMeters, on: &surface, place, look)
        }
    }

    private static func drawHeadings(
        _ columns: Columns, hasMeters: Bool, on surface: inout Surface, _ place: Position, _ look: Look
    ) {
        func put(_ text: String, _ column: Int) {
            surface.put(" \(text) ", row: place.row, column: place.column + column, style: look[.textFaint])
        }
        if let talk = columns.talk, hasMeters { put("10 s", talk + 5) }
        let scale = Meter.scale(width: columns.meterWidth, look)
        if !scale.isEmpty, hasMeters { put(scale, columns.meter - 1) }
        for (label, end) in [("from", columns.from), ("to", columns.to), ("RTT", columns.roundTrip)] {
            if let end { put(label, end - label.count - 2) }
        }
    }

    private static func drawRow(
        _ id: String, number: Int, isSelected: Bool, _ model: ConsoleModel, on surface: inout Surface,
        _ place: Position, _ columns: Columns, _ look: Look
    ) {
        let row = place.row
        let isSpeaking = id == model.speakingID
        surface.put(isSelected ? ">" : " ", row: row, column: place.column, style: look[.personSelected])
        surface.putRight("\(number)", row: row, end: place.column + (number < 100 ? 3 : 4), style: look[.textFaint])
        let person = model.call?.people[id]
        let base = isSpeaking ? Scope.personSpeaking : isSelected ? .personSelected : scope(person)
        let mark = isSpeaking ? " " + look.glyphs.speaking : ""
        let nameWidth = columns.nameWidth - DisplayWidth.of(mark)
        let name = DisplayWidth.clip(model.name(of: id), nameWidth, ellipsis: look.glyphs.ellipsis)
        let end = surface.put(name, row: row, column: place.column + Columns.name, style: look[base], limit: nameWidth)
        surface.put(mark, row: row, column: end, style: look[.personSpeaking])
        drawState(id, person, model, on: &surface, place, columns, look)
        drawFigures(id, model, on: &surface, place, columns, look)
    }

    private static func scope(_ person: Participant?) -> Scope {
        switch person?.link {
        case .lost, .failed, .restarting: .personLost
        default: person?.isMuted == true ? .personMuted : .person
        }
    }

    private static func drawState(
        _ id: String, _ person: Participant?, _ model: ConsoleModel, on surface: inout Surface, _ place: Position,
        _ columns: Columns, _ look: Look
    ) {
        if let person {
            put(words(of: person), scope(person), on: &surface, place, columns, look)
        } else {
            put(MicrophoneView.words(model), .text, on: &surface, place, columns, look)
        }
    }

    /// Writes the first of `words` that fits into the column of states.
    private static func put(
        _ words: [String], _ scope: Scope, on surface: inout Surface, _ place: Position, _ columns: Columns,
        _ look: Look
    ) {
        guard columns.stateWidth > 0 else { return }
        let texts = words.map(look.glyphs.text)
        let fitting = texts.first { DisplayWidth.of($0) <= columns.stateWidth } ?? texts.last ?? ""
        let text = DisplayWidth.clip(fitting, columns.stateWidth, ellipsis: look.glyphs.ellipsis)
        surface.put(text, row: place.row, column: place.column + columns.state, style: look[scope])
    }

    /// What there is to say about a person, for narrower and narrower columns: all of it, then the most important alone.
    static func words(of person: Participant) -> [String] {
        let badges = badges(of: person)
        guard let first = badges.first else { return [] }
        return [badges.map(\.long), badges.map(\.short)].map { $0.joined(separator: ", ") } + [first.long, first.short]
    }

    /// The badges of a person, the most important first.
    private static func badges(of person: Participant) -> [(long: String, short: String)] {
        switch person.link {
        case .connecting: return [("connecting…", "connects…")]
        case .lost: return [("LOST", "LOST")]
        case .restarting: return [("reconnecting…", "returns…")]
        case .failed: return [("no connection", "no link")]
        case .connected: break
        }
        var badges: [(long: String, short: String)] = []
        if person.isRecording == true { badges.append(("records the call", "records")) }
        if person.wantsTime == true { badges.append(("wants more time", "wants time")) }
        if person.isSilenced { badges.append(("silenced here", "silenced")) }
        if person.isHolding { badges.append(("held by \(person.name)", "holds")) }
        if person.isListener == true { badges.append(("listens", "listens")) }
        if person.isMuted { badges.append(("muted by \(person.name)", "muted")) }
        if person.volumePercent != 100 { badges.append(("\(person.volumePercent)%", "\(person.volumePercent)%")) }
        if person.isHidden == true { badges.append(("hidden here", "hidden")) }
        if person.isPrioritized == true { badges.append(("picture first", "first")) }
        if person.unsentReason != nil { badges.append(("does not see you", "unseen")) }
        switch person.picture?.limit {
        case .smallPicture: badges.append(("small picture", "small"))
        case .soundOnly: badges.append(("sound only", "sound only"))
        case nil: break
        }
        if person.video == .off { badges.append(("video off", "video off")) }
        return badges
    }

    private static func drawFigures(
        _ id: String, _ model: ConsoleModel, on surface: inout Surface, _ place: Position, _ columns: Columns,
        _ look: Look
    ) {
        let (row, left) = (place.row, place.column)
        let person = model.call?.people[id]
        let level = model.level(of: id)
        let isHollow = id == ConsoleModel.me ? model.state.audio.microphone != .live : person?.isMuted == true
        Meter.draw(
            level, peak: model.peak(of: id), isHollow: isHollow, on: &surface, row: row, column: left + columns.meter,
            width: columns.meterWidth, look)
        if let talk = columns.talk { drawTalk(id, model, on: &surface, row: row, column: left + talk, look) }
        // The number stands long enough to be read: it is that of the peak mark.
        let shown =
            (model.peak(of: id) ?? level).map { $0 <= -127 ? look.glyphs.unknown : "\($0)" } ?? look.glyphs.unknown
        surface.putRight(shown, row: row, end: left + columns.level - 1, style: look[.text])
        guard id != ConsoleModel.me else { return }
        let figures = model.statistics.people[id]
        drawPercent(figures?.received?.lossPercent, on: &surface, row: row, end: columns.from.map { left + $0 }, look)
        drawPercent(figures?.sent?.lossPercent, on: &surface, row: row, end: columns.to.map { left + $0 }, look)
        if let end = columns.roundTrip {
            let text = figures?.roundTripMs.map { "\(Int($0.rounded())) ms" } ?? look.glyphs.unknown
            surface.putRight(text, row: row, end: left + end - 1, style: look[.text])
        }
    }

    private static func drawTalk(
        _ id: String, _ model: ConsoleModel, on surface: inout Surface, row: Int, column: Int, _ look: Look
    ) {
        guard model.hasMeters, model.isCurrent, let talk = model.talk[id] else { return }
        let spark = look.glyphs.spark
        let cells = talk.levels(at: model.now.mono.nanoseconds / 1_000_000_000).map { level in
            guard level > Meter.floor else { return " " }
            return spark[min(spark.count - 1, (level - Meter.floor) * spark.count / -Meter.floor)]
        }
        surface.put(cells.joined(), row: row, column: column, style: look[.spark])
    }

    private static func drawPercent(_ value: Double?, on surface: inout Surface, row: Int, end: Int?, _ look: Look) {
        guard let end else { return }
        surface.putRight(Loss.text(value, look), row: row, end: end - 1, style: look[Loss.scope(value)])
    }
}

extension RingState {
    /// How ringing stands, in the column of states.
    fileprivate var words: String {
        switch self {
        case .ringing: "ringing…"
        case .accepted: "answers"
        case .rejected: "rejected"
        case .noAnswer: "no answer"
        case .unknown: "not there"
        }
    }
}
