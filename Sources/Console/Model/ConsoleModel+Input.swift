import ControlProtocol
package import Terminal

/// What comes from the keyboard.
extension ConsoleModel {
    /// Keys go to what lies on top: an overlay, else the key table.
    package mutating func receive(_ input: InputEvent, at time: ConsoleTime) {
        now = time
        defer { followSelection() }
        switch input {
        case .key(let key): press(key)
        case .release(let key): release(key)
        // Where the key is let go then is not told here.
        case .focus(false): endHeldTalk()
        case .paste(let text):
            // Pasted text never runs keys: a link pasted into the call would press its letters.
            if case .text(var prompt) = overlay {
                prompt.insert(text)
                overlay = .text(prompt)
            } else if case .settings(var page) = overlay {
                page.typing?.insert(text)
                if let typing = page.typing, typing.purpose == .find { page.find(typing.text) }
                overlay = .settings(page)
            } else if overlay == nil {
                var prompt = TextPrompt(.join)
                prompt.insert(text)
                overlay = .text(prompt)
            }
        case .wheel(let notches, let position): scroll(notches, at: position)
        case .click, .focus, .ready, .synchronizes, .keyboard: break
        }
    }

    /// A list scrolls no further than its selection asks: what is clicked stays where it is.
    mutating func followSelection() {
        switch overlay {
        case .settings(var page):
            page.top = SettingsView.start(page, size)
            overlay = .settings(page)
        case .devices(var picker):
            picker.top = OverlayView.page(self, columns: size.columns)?.start(from: picker.top, size) ?? 0
            overlay = .devices(picker)
        default: break
        }
    }

    private mutating func press(_ key: Key) {
        if key == heldTalkKey { return repeatTalk() }
        guard exitPlan == nil else {
            // The second Ctrl-C does not wait for the core.
            if key == Key("c", .control), let plan = exitPlan { finish(plan.unanswered) }
            return
        }
        switch overlay {
        case .quit: pressInQuit(key)
        case .text(let prompt): press(key, in: prompt)
        case .question where ![Key("y"), Key("r")].contains(key) && runs(key, of: [.push]): break
        case .question(let question): press(key, in: question)
        case .settings(let page) where page.typing != nil: press(key, in: page)
        case .help, .messages, .invite, .inviteForm, .devices, .settings:
            // Who asks can be answered from any page, and one can talk.
            if !runs(key, of: [.asked, .push]) { pressInPage(key) }
        case nil: pressBinding(key)
        }
    }

    /// Does what the key does on the screen below, if its binding is of one of these places.
    private mutating func runs(_ key: Key, of places: [KeyBinding.Place]) -> Bool {
        guard let binding = keys.binding(for: key, in: self), places.contains(binding.place) else { return false }
        pressBinding(key)
        return true
    }

    private mutating func pressInPage(_ key: Key) {
        switch overlay {
        case .help(let scroll): scrollOverlay(key, from: scroll) { .help(scroll: $0) }
        case .messages(let scroll): scrollOverlay(key, from: scroll) { .messages(scroll: $0) }
        case .devices(let picker): press(key, in: picker)
        case .invite(let page): press(key, in: page)
        case .inviteForm(let form): press(key, in: form)
        case .settings(let page): press(key, in: page)
        default: overlay = nil
        }
    }

    private mutating func pressBinding(_ key: Key) {
        guard let binding = keys.binding(for: key, in: self) else {
            if let other = keys.bindings.first(where: { $0.keys.contains(key) }) {
                say("\(other.name(of: key)): \(other.place.whereNot(keys))", .warning)
            }
            return
        }
        if let reason = binding.reason(self) {
            return say("\(binding.name(of: key)): \(reason)", .warning)
        }
        binding.run(&self, key)
    }

    private mutating func pressInQuit(_ key: Key) {
        switch key {
        case Key("d"): exit(.detach)
        case Key("m"): exit(.muteAndDetach)
        case Key("l"): exit(.leave)
        case Key("c") where call?.isServedHere == true: exit(.closeRoom)
        case Key(.escape): overlay = nil
        // A second Ctrl-C is meant: it leaves the call as it is.
        case Key("c", .control): exit(.detach)
        default: _ = runs(key, of: [.push])
        }
    }

    private mutating func press(_ key: Key, in prompt: TextPrompt) {
        if let edited = edit(prompt, with: key) {
            overlay = .text(edited)
            return
        }
        var prompt = prompt
        prompt.candidates = []
        switch key {
        case Key(.enter):
            overlay = nil
            return submit(prompt)
        case Key(.escape), Key("c", .control):
            overlay = nil
            if prompt.purpose == .filter { filter = "" }
            return
        default: prompt.edit(with: key)
        }
        if prompt.purpose == .filter { filter = prompt.text.trimmed }
        overlay = .text(prompt)
    }

    private mutating func submit(_ prompt: TextPrompt) {
        let text = prompt.text.trimmed
        switch prompt.purpose {
        case .host: ask("room.host", text.isEmpty ? [:] : ["room": .string(text)], .plain("cannot host"))
        case .join where !text.isEmpty: ask("call.join", ["what": .string(text)], .plain("cannot join"))
        case .wait where !text.isEmpty: ask("room.wait", ["room": .string(text)], .plain("cannot wait"))
        case .ring where !text.isEmpty:
            let names = text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
            ask("room.ring", ["names": .array(names.map { .string($0) })], .plain("cannot ring"))
        case .chat where !text.isEmpty, .tell where !text.isEmpty: send(prompt, text)
        case .show where !text.isEmpty: ask("video.select", ["source": .string(text)], .source("cannot show that"))
        case .note where !text.isEmpty: ask("call.note", ["text": .string(text)], .plain("cannot note that"))
        case .command: run(command: text)
        case .filter: filter = text
        case .type: ask("video.type", ["text": .string(prompt.text + "\r")], .plain("nothing is typed"))
        case .join, .wait, .ring, .chat, .show, .note, .tell, .setting, .find: break
        }
    }

    private mutating func scrollOverlay(_ key: Key, from scroll: Int, _ make: (Int) -> Overlay) {
        let limit = OverlayView.page(self, columns: size.columns)?.scrollLimit(size) ?? 0
        let motion = (key == Key(" ") ? Key(.pageDown) : key).motion(page: size.rows - 2)
        overlay = motion.map { make(max(0, min(scroll + $0, limit))) }
    }

    private mutating func press(_ key: Key, in question: Question) {
        overlay = nil
        switch (key, question) {
        case (Key("y"), _): confirm(question)
        case (Key("r"), .revoke(let number)): revoke(number, removing: true)
        case (_, .revoke): openInvites()
        default: break
        }
    }

    private mutating func press(_ key: Key, in picker: DevicePicker) {
        var picker = picker
        if let motion = key.motion(page: size.rows / 2) {
            picker.selection = max(0, min(picker.rows.count - 1, picker.selection + motion))
            return overlay = .devices(picker)
        }
        switch key.code {
        case .enter:
            if picker.rows.indices.contains(picker.selection) {
                let row = picker.rows[picker.selection]
                let parameter = row.isInput ? "input" : "output"
                ask("audio.select", [parameter: .string(row.name)], .plain("cannot use \(row.description)"))
            }
            return leave(picker)
        case .escape, .character("q"), .character("c"): return leave(picker)
        default: break
        }
        overlay = .devices(picker)
    }
}

extension String {
    /// The text without blanks at its ends.
    var trimmed: String {
        let isBlank: (Character) -> Bool = { $0.isWhitespace }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
