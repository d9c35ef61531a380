import ControlProtocol
import Terminal

/// The settings of `hoot.conf`, which the core checks, keeps and writes.
extension ConsoleModel {
    mutating func openSettings() {
        overlay = .settings(SettingsPage())
        ask("settings.list", [:], .settings)
    }

    mutating func press(_ key: Key, in page: SettingsPage) {
        guard var prompt = page.typing else { return choose(key, in: page) }
        var page = page
        switch key {
        case Key(.enter) where prompt.purpose == .find: page.typing = nil
        case Key(.enter):
            page.typing = nil
            overlay = .settings(page)
            return set(.string(prompt.text.trimmed), typed: prompt)
        case Key(.escape), Key("c", .control): page.typing = nil
        default:
            prompt.edit(with: key)
            page.typing = prompt
            if prompt.purpose == .find { page.find(prompt.text) }
        }
        page.refusal = nil
        overlay = .settings(page)
    }

    private mutating func choose(_ key: Key, in page: SettingsPage) {
        var page = page
        if let motion = key.motion(page: size.rows / 2) {
            page.move(motion)
            return overlay = .settings(page)
        }
        switch key.code {
        case .left, .character("h"): return change(page, -1)
        case .right, .character("l"), .character(" "): return change(page, 1)
        case .enter: return edit(page)
        case .character("/"): page.typing = TextPrompt(.find)
        case .character("x"): return set(page.selected.map { .string(SettingState.text(of: $0.fallback)) })
        case .escape, .character("q"), .character("c"): return overlay = nil
        default: break
        }
        overlay = .settings(page)
    }

    /// Takes the next value, or the one before, of what can be chosen.
    private mutating func change(_ page: SettingsPage, _ step: Int) {
        set(page.neighbour(step, themes: themes))
    }

    private mutating func edit(_ page: SettingsPage) {
        guard let selected = page.selected else { return }
        if page.neighbour(1, themes: themes) != nil { return change(page, 1) }
        if ["audio.input", "audio.output"].contains(selected.name) { return openDevices(from: page) }
        var page = page
        var prompt = TextPrompt(.setting(selected))
        // What is hidden is typed anew.
        if selected.isSecret != true { prompt.insert(SettingState.text(of: selected.value)) }
        (page.typing, page.refusal) = (prompt, nil)
        overlay = .settings(page)
    }

    private mutating func set(_ value: JSONValue?, typed prompt: TextPrompt? = nil) {
        guard case .settings(let page) = overlay, let setting = page.selected, let value else { return }
        ask(
            "settings.set", ["name": .string(setting.name), "value": value],
            .setting(name: setting.name, typed: prompt))
    }

    mutating func loadedSettings(_ answer: JSONValue) {
        guard case .settings(var page) = overlay else { return }
        page.load(answer)
        overlay = .settings(page)
    }

    /// The core has taken a value, and says how it is shown.
    mutating func changedSetting(_ name: String, to value: JSONValue) {
        guard case .settings(var page) = overlay else { return say("\(name) is \(SettingState.text(of: value))") }
        page.take(value, of: name)
        overlay = .settings(page)
    }

    /// What was refused can be mended and sent again, unless something else is being done by now.
    mutating func refusedSetting(_ prompt: TextPrompt?, _ why: String) {
        guard case .settings(var page) = overlay, page.typing == nil else { return say(why, .error) }
        (page.refusal, page.typing) = (why, prompt)
        if case .setting(let setting) = prompt?.purpose {
            page.selection = page.settings.firstIndex { $0.name == setting.name } ?? page.selection
        }
        overlay = .settings(page)
    }
}
