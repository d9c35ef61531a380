import ControlProtocol
import Terminal

/// The screen without a call: rooms to go back to, the devices, what is missing.
enum HomeView {
    private typealias Line = (text: String, scope: Scope)

    static func draw(_ model: ConsoleModel, on surface: inout Surface, _ look: Look) {
        let size = surface.size
        let keyLines = keyLines(size)
        let keyRows = keyLines.count
        let host = model.state.core.host
        surface.put(
            host.isEmpty ? "hoot" : "hoot @ \(host)", row: 0, column: 1, style: look[.headerRoom])
        MicrophoneView.draw(model, on: &surface, row: min(1, size.rows - 1), look)
        var row = top
        let preview = previewRows(model, size)
        let end = preview.lowerBound
        for (text, scope) in body(model, size, look).lines where row < end {
            let clipped = DisplayWidth.clip(text, size.columns - 2, ellipsis: look.glyphs.ellipsis)
            let column = surface.put(clipped, row: row, column: 1, style: look[scope])
            if scope == .personSelected { surface.focus = Position(row: row, column: 0) }
            if text.hasPrefix(microphoneLabel) { drawMeter(model, on: &surface, row: row, after: column, look) }
            row += 1
        }
        PreviewView.draw(model, on: &surface, rows: preview, look)
        let messages = (preview.isEmpty ? min(row + 1, end) : preview.upperBound)..<size.rows - keyRows
        if row < size.rows - keyRows { MessagesView.draw(model, on: &surface, rows: messages, look) }
        KeyLinesView.draw(model, on: &surface, rows: keyLines, look)
    }

    /// The rows of the key lines.
    static func keyLines(_ size: Size) -> Range<Int> {
        size.rows - (size.rows >= 10 ? 2 : size.rows >= 4 ? 1 : 0)..<size.rows
    }

    /// The first row below the microphone, and the one after the last.
    private static let top = 3

    private static func end(_ size: Size) -> Int {
        size.rows - keyLines(size).count - (size.rows >= 8 ? 1 : 0)
    }

    /// The rows of the preview, below everything else; none where none is wished.
    static func previewRows(_ model: ConsoleModel, _ size: Size) -> Range<Int> {
        let end = end(size)
        return end - PreviewView.height(model, room: max(0, end - top))..<end
    }

    /// The room in that row of the screen.
    static func room(inRow row: Int, _ model: ConsoleModel, _ size: Size, _ look: Look) -> Int? {
        let rooms = body(model, size, look).rooms
        return row < previewRows(model, size).lowerBound && rooms.contains(row - top)
            ? row - top - rooms.lowerBound + firstRoom(model, rooms.count) : nil
    }

    private static let microphoneLabel = "  microphone  "

    private static func drawMeter(
        _ model: ConsoleModel, on surface: inout Surface, row: Int, after column: Int, _ look: Look
    ) {
        let start = max(column + 2, 40)
        let width = min(30, surface.size.columns - start - 1)
        Meter.draw(
            model.level(of: ConsoleModel.me), peak: model.peak(of: ConsoleModel.me), isHollow: false, on: &surface,
            row: row, column: start, width: width, look)
    }

    /// All lines, and those of the rooms among them.
    private static func body(_ model: ConsoleModel, _ size: Size, _ look: Look) -> (lines: [Line], rooms: Range<Int>) {
        let room = Size(rows: previewRows(model, size).lowerBound - top, columns: size.columns - 2)
        var rest: [Line] = model.state.waiting.sorted { $0.key < $1.key }.map { room, waiting in
            ("  \(waiting.isConnected ? "waiting" : "trying to wait") in \(room) as \(waiting.name)", .text)
        }
        rest += [("", .text), ("Sound", .panelTitle)] + sound(model.state.audio, look)
        let end = missed(model) + lastEnd(model)
        if model.isFirstRun {
            let lines = end + FirstRunLines.keys(model, room) + rest + [("", .text)]
            return (lines + FirstRunLines.findings(model, room, look), 0..<0)
        }
        for problem in model.state.problems {
            rest.append(("  ! \(problem.text)", .messageWarning))
            if let command = problem.command { rest.append(("    \(command)", .textFaint)) }
        }
        let count = max(3, room.rows - 1 - rest.count - end.count)
        let first = end.count + 1
        let shown = min(count, model.state.recentRooms.count)
        return (end + [("Rooms", .panelTitle)] + rooms(model, count: shown) + rest, first..<first + shown)
    }

    /// The first of `count` rooms that are shown, the selected one among them.
    private static func firstRoom(_ model: ConsoleModel, _ count: Int) -> Int {
        max(0, min(model.homeSelection - count / 2, model.state.recentRooms.count - count))
    }

    /// Who rang in vain, the newest first.
    private static func missed(_ model: ConsoleModel) -> [Line] {
        let rings = (model.state.missed ?? []).suffix(3).reversed().map { ring -> Line in
            let time = MessagesView.timeOfDay(ring.rangAt, model.utcOffsetSeconds)
            return ("\(ring.caller) rang from \(ring.room), \(time)", .messageWarning)
        }
        return rings.isEmpty ? [] : rings + [("", .text)]
    }

    /// How the last call ended, unless it was left on purpose, and what it was like.
    private static func lastEnd(_ model: ConsoleModel) -> [Line] {
        guard let end = model.state.lastEnd else { return [] }
        var lines: [Line] = []
        if !end.wasLeft {
            let days = (model.now.wallMs - end.endedAt) / 86_400_000
            let when =
                days > 0
                ? days == 1 ? "a day ago" : "\(days) days ago"
                : MessagesView.timeOfDay(end.endedAt, model.utcOffsetSeconds)
            lines.append(("\(end.room) @ \(end.host) ended, \(when): \(end.reason)", .messageWarning))
        }
        if let summary = summary(of: end) { lines.append((summary, .textFaint)) }
        return lines.isEmpty ? [] : lines + [("", .text)]
    }

    /// `standup lasted 00:12:31, lost 0.3%, MOS 4.3 est., …/calls/2026-11-30T140509-standup.csv`
    private static func summary(of end: CallEnd) -> String? {
        guard let duration = end.duration else { return nil }
        var parts = ["\(end.room) lasted \(HeaderView.duration(from: 0, to: duration * 1000))"]
        if let loss = end.lossPercent { parts.append("lost \(Loss.tenths(loss))%") }
        if let mos = end.mos { parts.append("MOS \(Loss.tenths(mos)) est.") }
        if let path = end.figuresPath { parts.append(path) }
        return parts.joined(separator: ", ")
    }

    /// `count` rooms, the selected one among them.
    private static func rooms(_ model: ConsoleModel, count: Int) -> [Line] {
        let rooms = model.state.recentRooms
        let leftOpen = model.state.leftOpen ?? []
        guard !rooms.isEmpty else {
            let (host, join) = (model.keys.key(of: "host"), model.keys.key(of: "join"))
            return [("  none yet: \(host) opens one here, \(join) joins by a link", .textFaint)]
        }
        return rooms.indices.dropFirst(firstRoom(model, count)).prefix(count).map { index in
            let isSelected = index == model.homeSelection
            let text =
                "\(isSelected ? ">" : " ") \(index + 1) \(rooms[index].name) @ \(rooms[index].host)"
                + (rooms[index].host == model.state.core.host && leftOpen.contains(rooms[index].name) ? ", open" : "")
            return (text, isSelected ? .personSelected : .text)
        }
    }

    private static func sound(_ audio: AudioState, _ look: Look) -> [Line] {
        let server = audio.server.isConnected ? audio.server.name : audio.server.reason ?? audio.server.name
        let processing = audio.processing
        let stages = [
            processing.cancelsEcho ? "echo cancellation" : nil,
            processing.suppressesNoise ? "noise suppression" : nil,
            processing.controlsGain ? "gain control" : nil,
        ].compactMap { $0 }
        let later = audio.server.isConnected ? "chosen when a call begins" : look.glyphs.unknown
        let none = audio.microphone == .noMicrophone ? look.glyphs.unknown : later
        return [
            ("  server      \(server.isEmpty ? look.glyphs.unknown : server)", .text),
            (microphoneLabel + "\(audio.input?.description ?? none)", .text),
            ("  speaker     \(audio.output?.description ?? later)", .text),
        ] + (stages.isEmpty ? [] : [("  processing  " + stages.joined(separator: ", "), .textFaint)])
    }
}
