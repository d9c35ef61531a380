import ControlProtocol
import Terminal

/// The command line: the line mode's verbs, the socket's methods and what the keys do, by name.
extension ConsoleModel {
    mutating func openCommandLine() {
        history.rest()
        overlay = .text(TextPrompt(.command))
    }

    /// Asks whom to ring; who waits in the room is offered.
    mutating func openRing() {
        var prompt = TextPrompt(.ring)
        prompt.candidates = waitingNames
        overlay = .text(prompt)
    }

    /// The keys that edit a line beyond plain typing; the prompt as it is then, `nil`: none of them.
    mutating func edit(_ prompt: TextPrompt, with key: Key) -> TextPrompt? {
        var prompt = prompt
        if prompt.purpose == .ring, key == Key(.tab) {
            let verb = "ring "
            let completion = CommandCompletion(verb + prompt.text, in: self)
            prompt.replace(with: String(completion.text.dropFirst(verb.count)))
            prompt.candidates = completion.candidates
            return prompt
        }
        guard prompt.purpose == .command else { return nil }
        switch key {
        case Key(.tab):
            let completion = CommandCompletion(prompt.text, in: self)
            prompt.replace(with: completion.text)
            prompt.candidates = completion.candidates
        case Key(.up), Key("p", .control): history.previous(prompt.text).map { prompt.replace(with: $0) }
        case Key(.down), Key("n", .control): history.next(prompt.text).map { prompt.replace(with: $0) }
        default: return nil
        }
        return prompt
    }

    /// Does what was typed. What is wrong with it is a message; the line is in the history.
    mutating func run(command line: String) {
        let line = line.trimmed
        if CommandHistory.isKept(line) { effects.append(.remember(line)) }
        history.add(line)
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        if words.first == "theme" { return show(theme: words.count > 1 ? words[1].trimmed : nil) }
        switch LineVerb(line) {
        case .nothing: break
        case .quit: quit()
        case .help(nil): overlay = .help(scroll: 0)
        case .help(let word?): explain(word)
        case .status: StatusText.lines(state).forEach { say($0) }
        case .detail: say("the screen shows everything; detail is for hoot --plain", .warning)
        case .request(let method, let params): ask(method, params, .typed(line))
        // What a key asks for, its action asks for too; of words that there are to choose from none is meant.
        case .misused(let text):
            let isChoice = Verb.named(words[0])?.operand.words != nil
            if words.count == 1, !isChoice, keys.bindings.contains(where: { $0.action == words[0] && $0.isTyped }) {
                runAction(words[0], isAlone: true)
            } else {
                say(text, .error)
            }
        case .unknown(let word): runAction(word, isAlone: words.count == 1)
        }
    }

    /// What a key does, by its name in `keys.conf`.
    private mutating func runAction(_ name: String, isAlone: Bool) {
        guard let binding = keys.bindings.first(where: { $0.action == name && $0.isTyped }) else {
            let key = keys.key(of: "command")
            return say("no command \(name.quoted); \(key), then tab shows what there is", .error)
        }
        guard isAlone else { return say("nothing stands behind \(name)", .error) }
        guard binding.isOffered(in: self) else { return say("\(name): \(binding.place.whereNot(keys))", .warning) }
        if let reason = binding.reason(self) { return say("\(name): \(reason)", .warning) }
        binding.run(&self, binding.keys.first ?? Key(.enter))
    }

    private mutating func explain(_ word: String) {
        if let summary = LineVerb.summary(of: word)
            ?? keys.bindings.first(where: { $0.action == word }).map({ "\(word): \($0.summary)" })
        {
            say(summary)
        } else if word == "theme" {
            say("theme [NAME]: show a theme here, or again the one in hoot.conf")
        } else {
            say("no command \(word.quoted)", .error)
        }
    }

    private mutating func show(theme name: String?) {
        guard let name else {
            effects.append(.theme(nil))
            return say("the theme of hoot.conf is shown")
        }
        guard themes.contains(name) else {
            return say("no theme \(name.quoted); there are \(themes.joined(separator: ", "))", .error)
        }
        effects.append(.theme(name))
        say("\(name) is shown here; settings.set name=console.theme value=\(name) keeps it")
    }

    /// A typed request was answered.
    mutating func answered(typed line: String, _ result: JSONValue) {
        chatSent(result)
        if case .object(let fields) = result, fields.isEmpty || fields["unreached"] != nil {
            return say("\(line): done")
        }
        guard let lines = AnswerText.lines(result) else { return say("\(line): \(result.text)") }
        lines.forEach { say($0) }
    }

    /// Who knocks at the rooms that are hosted here.
    var knocks: [KnockState] {
        calls.flatMap { $0.knocks ?? [] }
    }
}
