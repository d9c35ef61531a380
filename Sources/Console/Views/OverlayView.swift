import ControlProtocol
import Terminal

/// What lies over the screen: prompts, help, links, messages, devices.
enum OverlayView {
    static func draw(_ model: ConsoleModel, on surface: inout Surface, _ look: Look) {
        if case .invite(let page) = model.overlay {
            InviteView.draw(model, page, on: &surface, look)
        } else if case .settings(let page) = model.overlay {
            SettingsView.draw(model, page, on: &surface, look)
        } else if let page = page(model, columns: surface.size.columns) {
            page.draw(from: model.overlay?.scroll ?? 0, on: &surface, look)
        }
        let top: Int
        switch model.overlay {
        case .quit: top = drawQuit(model, on: &surface, look)
        case .text(let prompt): top = drawPrompt(prompt, on: &surface, look)
        case .settings(let page) where page.typing != nil:
            top = page.typing.map { drawPrompt($0, on: &surface, look) } ?? 0
        case .question(let question): top = draw(question, model, on: &surface, look)
        case nil, .help, .invite, .inviteForm, .messages, .devices, .settings:
            if let asking = model.asking { draw(asking, model, on: &surface, look) }
            return
        }
        if let asking = model.asking { draw(asking, above: top, model, on: &surface, look) }
    }

    /// While keys are typed into a prompt they answer nobody: who asks is said above it, and how to come to an answer.
    private static func draw(
        _ asking: Asking, above row: Int, _ model: ConsoleModel, on surface: inout Surface, _ look: Look
    ) {
        guard row > 2 else { return }
        let keys = answers(model).map { "\($0.key) \($0.label)" }.joined(separator: ", ")
        let text = DisplayWidth.clip(
            look.glyphs.text("\(words(asking, model)): esc, then \(keys)"), surface.size.columns - 2,
            ellipsis: look.glyphs.ellipsis)
        surface.fill(row: row - 1, style: look[.prompt])
        surface.put(text, row: row - 1, column: 1, style: look[.promptKey])
    }

    private static func answers(_ model: ConsoleModel) -> [Choice] {
        model.keys.bindings.filter { $0.place == .asked && !$0.keys.isEmpty }.map {
            Choice(key: $0.keys[0].description, label: $0.label(model))
        }
    }

    /// What lies over the whole screen.
    static func page(_ model: ConsoleModel, columns: Int) -> Page? {
        switch model.overlay {
        case nil, .quit, .text, .invite, .question, .settings: nil
        case .inviteForm(let form): InviteView.page(form)
        case .help: HelpPage.page(model, columns: columns)
        case .messages: messages(model, columns: columns)
        case .devices(let picker): devices(picker)
        }
    }

    /// A key of a question and what it does.
    private struct Choice {
        var key: String
        var label: String
        /// Where there is little room.
        var short: String?
    }

    /// A question over the lowest rows: each choice is a key and what it does, in as many rows as they need. The
    /// microphone line is never covered. Returns the uppermost row.
    @discardableResult
    private static func drawBar(
        _ question: String, _ choices: [Choice], on surface: inout Surface, _ look: Look
    ) -> Int {
        let most = max(1, surface.size.rows - 2)
        var rows = bar(question, choices, columns: surface.size.columns)
        if rows.count > 2 {
            let short = choices.map { Choice(key: $0.key, label: $0.short ?? $0.label) }
            rows = bar(question, short, columns: surface.size.columns)
        }
        for (offset, pieces) in rows.prefix(most).enumerated() {
            let row = surface.size.rows - min(rows.count, most) + offset
            surface.fill(row: row, style: look[.prompt])
            var column = 1
            for (text, scope) in pieces {
                column = surface.put(look.glyphs.text(text), row: row, column: column, style: look[scope])
            }
        }
        return surface.size.rows - min(rows.count, most)
    }

    private static func bar(_ question: String, _ choices: [Choice], columns: Int) -> [[(String, Scope)]] {
        let question = DisplayWidth.clip(question, columns - 2)
        var rows: [[(String, Scope)]] = question.isEmpty ? [[]] : [[(question + "  ", .prompt)]]
        var width = 1 + (question.isEmpty ? 0 : DisplayWidth.of(question) + 2)
        for choice in choices {
            let needed = DisplayWidth.of(choice.key) + 1 + DisplayWidth.of(choice.label)
            if width + needed > columns, rows.last?.isEmpty == false {
                rows.append([])
                width = 1
            }
            rows[rows.count - 1] += [(choice.key, .promptKey), (" " + choice.label + "  ", .prompt)]
            width += needed + 2
        }
        return rows
    }

    private static func drawQuit(_ model: ConsoleModel, on surface: inout Surface, _ look: Look) -> Int {
        let isLive = model.state.audio.microphone == .live
        var choices = [Choice(key: "d", label: isLive ? "detach, mic stays live" : "detach", short: "detach")]
        if isLive { choices.append(Choice(key: "m", label: "mute and detach")) }
        choices.append(Choice(key: "l", label: "leave"))
        if model.call?.isServedHere == true {
            choices.append(Choice(key: "c", label: "close for everyone", short: "close"))
        }
        choices.append(Choice(key: "esc", label: "stay"))
        return drawBar("", choices, on: &surface, look)
    }

    /// Who asks stands above the keys that answer, as they are bound.
    private static func draw(_ asking: Asking, _ model: ConsoleModel, on surface: inout Surface, _ look: Look) {
        drawBar(words(asking, model), answers(model), on: &surface, look)
    }

    private static func words(_ asking: Asking, _ model: ConsoleModel) -> String {
        switch asking {
        case .ring(let call):
            let left = call.ringsUntil.map { ", \(max(0, ($0 - model.now.wallMs + 999) / 1000)) s" } ?? ""
            return "\(call.caller ?? "somebody") rings from \(call.room) @ \(call.host)\(left)"
        case .knock(let knock, let call, let count):
            let seconds = max(0, (knock.until - model.now.wallMs + 999) / 1000)
            let role = knock.role == .guest ? "" : " as \(knock.role.rawValue)"
            return "\(knock.name) knocks, \(seconds) s, at \(call.room)\(role)"
                + (count == 1 ? "" : ", and \(count - 1) more")
        }
    }

    private static func draw(_ question: Question, _ model: ConsoleModel, on surface: inout Surface, _ look: Look)
        -> Int
    {
        switch question {
        case .kick(_, let name):
            drawBar(
                "kick \(name) out of \(model.call?.room ?? "the room")?",
                [Choice(key: "y", label: "kick"), Choice(key: "esc", label: "let stay")], on: &surface, look)
        case .revoke(let number):
            drawBar(
                "withdraw invite \(number)?",
                [
                    Choice(key: "y", label: "withdraw"),
                    Choice(key: "r", label: "and kick who came by it", short: "and kick"),
                    Choice(key: "esc", label: "keep it"),
                ], on: &surface, look)
        }
    }

    /// Columns that a typed line has at least.
    private static let leastTyped = 24

    private static func drawPrompt(_ prompt: TextPrompt, on surface: inout Surface, _ look: Look) -> Int {
        let row = surface.size.rows - 1
        surface.fill(row: row, style: look[.prompt])
        let isWide = DisplayWidth.of(prompt.question) + leastTyped <= surface.size.columns
        let question = isWide ? prompt.question : prompt.shortQuestion
        let column = surface.put(question, row: row, column: 1, style: look[.prompt])
        let room = max(1, surface.size.columns - column - 1)
        let shown = DisplayWidth.of(prompt.shown) > room ? String(prompt.shown.suffix(room)) : prompt.shown
        let end = surface.put(shown, row: row, column: column, style: look[.prompt], limit: room)
        surface.cursor = Position(row: row, column: min(end, surface.size.columns - 1))
        guard !prompt.candidates.isEmpty, row > 2 else { return row }
        let candidates = DisplayWidth.clip(
            prompt.candidates.joined(separator: "  "), surface.size.columns - 2, ellipsis: look.glyphs.ellipsis)
        surface.fill(row: row - 1, style: look[.prompt])
        surface.put(candidates, row: row - 1, column: 1, style: look[.promptKey])
        return row - 1
    }

    private static func messages(_ model: ConsoleModel, columns: Int) -> Page {
        let lines = model.log.messages.reversed().flatMap { message in
            MessagesView.lines(message, model, width: columns - 2).map { (text: $0.time + $0.text, scope: $0.scope) }
        }
        return Page(title: "Messages, newest first", lines: lines)
    }

    private static func devices(_ picker: DevicePicker) -> Page {
        var lines: [(text: String, scope: Scope)] = picker.isLoaded ? [] : [("asking the core…", .textFaint)]
        var selection = 0
        for (index, row) in picker.rows.enumerated() {
            if index == 0 || picker.rows[index - 1].isInput != row.isInput {
                lines.append((row.isInput ? "Microphone" : "Speaker", .panelTitle))
            }
            let isSelected = index == picker.selection
            if isSelected { selection = lines.count }
            lines.append(("\(isSelected ? ">" : " ") \(row.description)", isSelected ? .personSelected : .text))
        }
        return Page(title: "Devices: enter chooses", lines: lines, selection: selection)
    }
}
