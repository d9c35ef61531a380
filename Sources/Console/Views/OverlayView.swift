import ControlProtocol
import Terminal

/// What lies over the screen: prompts, help, links, messages, devices.
enum OverlayView {
    static func draw(_ model: ConsoleModel, on surface: inout Surface, _ look: Look) {
        switch model.overlay {
        case nil: if let call = model.ringingCall, model.call != nil { drawRinging(call, on: &surface, look) }
        case .quit: drawQuit(model, on: &surface, look)
        case .text(let prompt): drawPrompt(prompt, on: &surface, look)
        case .help(let scroll): drawPage("Keys", helpLines(model), scroll, on: &surface, look)
        case .invite: drawPage("Invite: the link is a secret", inviteLines(model), 0, on: &surface, look)
        case .messages(let scroll): drawMessages(model, scroll, on: &surface, look)
        case .devices(let picker): drawDevices(picker, on: &surface, look)
        }
    }

    /// A question over the lowest rows: each choice is a key and what it does, in as many rows as they need.
    private static func drawBar(
        _ question: String, _ choices: [(key: String, label: String)], on surface: inout Surface, _ look: Look
    ) {
        var rows: [[(String, Scope)]] = [[]]
        var width = 1
        for (key, label) in [("", question)] + choices where !key.isEmpty || !label.isEmpty {
            let piece = (key.isEmpty ? "" : key + " ") + label
            let needed = DisplayWidth.of(piece) + 2
            if width + needed > surface.size.columns, rows.last?.isEmpty == false {
                rows.append([])
                width = 1
            }
            rows[rows.count - 1] += [(key, .promptKey), ((key.isEmpty ? "" : " ") + label + "  ", .prompt)]
            width += needed
        }
        for (offset, pieces) in rows.suffix(surface.size.rows).enumerated() {
            let row = surface.size.rows - min(rows.count, surface.size.rows) + offset
            surface.fill(row: row, style: look[.prompt])
            var column = 1
            for (text, scope) in pieces {
                column = surface.put(look.glyphs.text(text), row: row, column: column, style: look[scope])
            }
        }
    }

    private static func drawQuit(_ model: ConsoleModel, on surface: inout Surface, _ look: Look) {
        let isLive = model.state.audio.microphone == .live
        var choices = [(key: "d", label: isLive ? "detach, mic stays live" : "detach")]
        if isLive { choices.append(("m", "mute and detach")) }
        choices.append(("l", "leave"))
        if model.call?.role == .host { choices.append(("c", "close for everyone")) }
        choices.append(("esc", "stay"))
        drawBar("", choices, on: &surface, look)
    }

    private static func drawRinging(_ call: CallState, on surface: inout Surface, _ look: Look) {
        drawBar(
            "\(call.caller ?? "somebody") rings from \(call.room)", [("a", "answer"), ("x", "reject")], on: &surface,
            look)
    }

    private static func drawPrompt(_ prompt: TextPrompt, on surface: inout Surface, _ look: Look) {
        let row = surface.size.rows - 1
        surface.fill(row: row, style: look[.prompt])
        let column = surface.put(prompt.question, row: row, column: 1, style: look[.prompt])
        let room = max(1, surface.size.columns - column - 1)
        let shown = DisplayWidth.of(prompt.shown) > room ? String(prompt.shown.suffix(room)) : prompt.shown
        let end = surface.put(shown, row: row, column: column, style: look[.prompt], limit: room)
        surface.cursor = Position(row: row, column: min(end, surface.size.columns - 1))
    }

    private static func drawPage(
        _ title: String, _ lines: [(String, Scope)], _ scroll: Int, on surface: inout Surface, _ look: Look
    ) {
        surface.fill(row: 0, height: surface.size.rows, style: look[.text])
        surface.title(title, right: "esc back", row: 0, look)
        let room = max(0, surface.size.rows - 1)
        let start = max(0, min(scroll, lines.count - room))
        for (offset, line) in lines.dropFirst(start).prefix(room).enumerated() {
            surface.put(look.glyphs.text(line.0), row: offset + 1, column: 1, style: look[line.1])
        }
    }

    private static func helpLines(_ model: ConsoleModel) -> [(String, Scope)] {
        KeyBinding.Section.allCases.flatMap { section -> [(String, Scope)] in
            let bindings = model.keys.bindings.filter { $0.section == section && !$0.keys.isEmpty }
            return [(section.rawValue, .panelTitle)]
                + bindings.map { ("  " + DisplayWidth.fit($0.keysShown, 12) + $0.summary, .text) }
        }
    }

    private static func inviteLines(_ model: ConsoleModel) -> [(String, Scope)] {
        let links = (model.call?.links ?? []).map { ($0, Scope.text) }
        return [("Whoever has this link can come in: hoot join LINK", .textFaint), ("", .text)] + links
            + [("", .text), ("hoot ctl core.state has it too, to copy from a script.", .textFaint)]
    }

    private static func drawMessages(_ model: ConsoleModel, _ scroll: Int, on surface: inout Surface, _ look: Look) {
        surface.fill(row: 0, height: surface.size.rows, style: look[.text])
        surface.title("Messages, newest first", right: "esc back", row: 0, look)
        let messages = model.log.messages.reversed().dropFirst(scroll).prefix(max(0, surface.size.rows - 1))
        for (offset, message) in messages.enumerated() {
            MessagesView.put(message, model, on: &surface, row: offset + 1, look)
        }
    }

    private static func drawDevices(_ picker: DevicePicker, on surface: inout Surface, _ look: Look) {
        var lines: [(String, Scope)] = picker.isLoaded ? [] : [("asking the core…", .textFaint)]
        for (index, row) in picker.rows.enumerated() {
            if index == 0 || picker.rows[index - 1].isInput != row.isInput {
                lines.append((row.isInput ? "Microphone" : "Speaker", .panelTitle))
            }
            let isSelected = index == picker.selection
            lines.append(("\(isSelected ? ">" : " ") \(row.description)", isSelected ? .personSelected : .text))
        }
        drawPage("Devices: enter chooses", lines, 0, on: &surface, look)
    }
}
