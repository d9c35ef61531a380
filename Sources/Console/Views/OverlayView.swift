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
        let bar = bar(model, size: surface.size, look)
        bar?.draw(on: &surface, look)
        let top: Int?
        switch model.overlay {
        case .text(let prompt): top = drawPrompt(prompt, on: &surface, look)
        case .settings(let page): top = page.typing.map { drawPrompt($0, on: &surface, look) }
        case .quit, .question: top = bar?.top
        case nil, .help, .invite, .inviteForm, .messages, .devices: top = nil
        }
        if let top, let asking = model.asking { draw(asking, above: top, model, on: &surface, look) }
    }

    /// The choices that lie over the lowest rows: of a question, else the answers to who asks, whose place a typed line
    /// takes.
    static func bar(_ model: ConsoleModel, size: Size, _ look: Look) -> QuestionBar? {
        switch model.overlay {
        case .quit: return QuestionBar("", quitChoices(model), size: size, look)
        case .question(let question):
            let (words, choices) = choices(question, model)
            return QuestionBar(words, choices, size: size, look)
        case .text: return nil
        case .settings(let page) where page.typing != nil: return nil
        case nil, .help, .invite, .inviteForm, .messages, .devices, .settings:
            return model.asking.map { QuestionBar(words($0, model), answers(model), size: size, look) }
        }
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

    /// The keys that answer, as they are bound.
    private static func answers(_ model: ConsoleModel) -> [QuestionBar.Choice] {
        model.keys.bindings.filter { $0.place == .asked && !$0.keys.isEmpty }.map {
            QuestionBar.Choice(key: $0.keys[0], label: $0.label(model))
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

    private static func quitChoices(_ model: ConsoleModel) -> [QuestionBar.Choice] {
        let isLive = model.state.audio.microphone == .live
        var choices = [
            QuestionBar.Choice(key: Key("d"), label: isLive ? "detach, mic stays live" : "detach", short: "detach")
        ]
        if isLive { choices.append(QuestionBar.Choice(key: Key("m"), label: "mute and detach")) }
        choices.append(QuestionBar.Choice(key: Key("l"), label: "leave"))
        if model.call?.isServedHere == true {
            choices.append(QuestionBar.Choice(key: Key("c"), label: "close for everyone", short: "close"))
        }
        return choices + [QuestionBar.Choice(key: Key(.escape), label: "stay")]
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

    private static func choices(_ question: Question, _ model: ConsoleModel) -> (String, [QuestionBar.Choice]) {
        typealias Choice = QuestionBar.Choice
        return switch question {
        case .kick(_, let name):
            (
                "kick \(name) out of \(model.call?.room ?? "the room")?",
                [Choice(key: Key("y"), label: "kick"), Choice(key: Key(.escape), label: "let stay")]
            )
        case .revoke(let number):
            (
                "withdraw invite \(number)?",
                [
                    Choice(key: Key("y"), label: "withdraw"),
                    Choice(key: Key("r"), label: "and kick who came by it", short: "and kick"),
                    Choice(key: Key(.escape), label: "keep it"),
                ]
            )
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
        let shown = prompt.shown
        let end = surface.put(tail(of: shown.before, room), row: row, column: column, style: look[.prompt], limit: room)
        surface.put(shown.after, row: row, column: end, style: look[.prompt], limit: max(0, column + room - end))
        surface.cursor = Position(row: row, column: min(end, surface.size.columns - 1))
        guard !prompt.candidates.isEmpty, row > 2 else { return row }
        let candidates = DisplayWidth.clip(
            prompt.candidates.joined(separator: "  "), surface.size.columns - 2, ellipsis: look.glyphs.ellipsis)
        surface.fill(row: row - 1, style: look[.prompt])
        surface.put(candidates, row: row - 1, column: 1, style: look[.promptKey])
        return row - 1
    }

    /// As much of the end of `text` as `width` columns hold.
    private static func tail(of text: String, _ width: Int) -> String {
        var left = width
        let kept = DisplayWidth.clusters(of: text).reversed().prefix { cluster in
            left -= cluster.width
            return left >= 0
        }
        return String(kept.reversed().map(\.text))
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
        var items: [Int: Int] = [:]
        for (index, row) in picker.rows.enumerated() {
            if index == 0 || picker.rows[index - 1].isInput != row.isInput {
                lines.append((row.isInput ? "Microphone" : "Speaker", .panelTitle))
            }
            let isSelected = index == picker.selection
            if isSelected { selection = lines.count }
            items[lines.count] = index
            lines.append(("\(isSelected ? ">" : " ") \(row.description)", isSelected ? .personSelected : .text))
        }
        return Page(title: "Devices: enter chooses", lines: lines, selection: selection, items: items)
    }
}
