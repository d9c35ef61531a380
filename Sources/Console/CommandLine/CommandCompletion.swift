import ControlProtocol

/// What can be typed on at the command line.
struct CommandCompletion: Hashable {
    /// The line as far as it is certain.
    var text: String
    /// What can follow, where more than one thing can.
    var candidates: [String] = []

    /// The words of the console itself, beside the verbs and the keys' actions.
    static let own = LineVerb.own.map(\.0).filter { $0 != "detail" } + ["theme"]

    /// Completes the last word of `line`.
    init(_ line: String, in model: ConsoleModel) {
        let start = line.lastIndex(of: " ").map { line.index(after: $0) } ?? line.startIndex
        let head = String(line[..<start])
        let first = line.prefix { $0 != " " }
        let found: [String]
        var kept = head
        if head.trimmed.isEmpty {
            found = Self.names(beginning: String(first), model)
        } else if let operand = Self.operands(of: String(first), model) {
            // A name may have blanks, so all that stands behind the verb is one word.
            let rest = String(line.dropFirst(first.count).drop { $0 == " " })
            let begun =
                operand.isList ? String(rest.split(separator: ",", omittingEmptySubsequences: false).last ?? "") : rest
            kept = String(line.dropLast(begun.count))
            found = operand.words.filter { $0.hasPrefix(begun) }
        } else {
            found = Self.parameters(of: String(first), after: head, beginning: String(line[start...]), model)
        }
        candidates = found.count > 1 ? found : []
        text = found.isEmpty ? line : kept + Self.commonPrefix(found)
        if found.count == 1, head.trimmed.isEmpty, Self.takesMore(found[0]) { text += " " }
    }

    private static func takesMore(_ name: String) -> Bool {
        if let verb = Verb.named(name) { return verb.operand != .none }
        if let method = Method.named(name) { return !method.parameters.isEmpty }
        return name == "theme" || name == "help"
    }

    /// Verbs first, then what keys do, then methods, which are offered once a word begins like one.
    private static func names(beginning word: String, _ model: ConsoleModel) -> [String] {
        let verbs = Verb.all.map(\.name) + own
        let actions = model.keys.bindings.filter { $0.isTyped }.map(\.action).filter { !verbs.contains($0) }
        let named = (verbs + actions).filter { $0.hasPrefix(word) }
        guard named.isEmpty || word.contains(".") else { return named }
        return Method.all.map(\.name).filter { $0.hasPrefix(word) }
    }

    private static func operands(of name: String, _ model: ConsoleModel) -> (words: [String], isList: Bool)? {
        switch name {
        case "theme": return (model.themes, false)
        case "help": return (Verb.all.map(\.name) + own + Method.all.map(\.name), false)
        default: break
        }
        guard let verb = Verb.named(name) else { return nil }
        switch verb.operand {
        case .toggle, .route: return (verb.operand.words ?? [], false)
        case .none, .text, .newRoom, .source, .invite: return ([], false)
        case .person, .someone: return (people(model), false)
        case .names: return (model.waitingNames, true)
        case .knocker: return (model.knocks.map(\.name), false)
        case .room, .what: return (model.state.recentRooms.addresses, false)
        }
    }

    /// Names, and ids where a name is that of several.
    private static func people(_ model: ConsoleModel) -> [String] {
        let people = model.rows.compactMap { model.call?.people[$0] }
        return people.map { person in people.count { $0.name == person.name } == 1 ? person.name : person.id }
    }

    /// `key=` of a method, or what can stand behind it.
    private static func parameters(
        of name: String, after head: String, beginning word: String, _ model: ConsoleModel
    ) -> [String] {
        guard let method = Method.named(name) else { return [] }
        if let equals = word.firstIndex(of: "="),
            let parameter = method.parameters.first(where: { $0.name == word[..<equals] })
        {
            return values(of: parameter, of: method, model).map { "\(parameter.name)=\($0)" }.filter {
                $0.hasPrefix(word)
            }
        }
        let given: [Substring] = head.split(separator: " ").compactMap { word in
            word.firstIndex(of: "=").map { word[..<$0] }
        }
        return method.parameters.filter { !given.contains(Substring($0.name)) }.map { $0.name + "=" }
            .filter { $0.hasPrefix(word) }
    }

    private static func values(of parameter: Parameter, of method: Method, _ model: ConsoleModel) -> [String] {
        switch parameter.kind {
        case .toggle: return ["on", "off", "toggle"]
        case .boolean: return ["true", "false"]
        case .choice(let words): return words
        default: break
        }
        switch parameter.name {
        case "participant":
            return people(model).map { name in
                name.contains(" ") ? model.rows.first { model.name(of: $0) == name } ?? name : name
            }
        case "call": return model.state.calls.keys.sorted()
        case "what": return model.state.recentRooms.addresses
        case "room":
            let rooms = model.state.recentRooms
            return method.name == "room.wait" ? rooms.addresses : rooms.map(\.name)
        default: return []
        }
    }

    /// What all of `words` begin with.
    private static func commonPrefix(_ words: [String]) -> String {
        guard var prefix = words.first.map({ Substring($0) }) else { return "" }
        for word in words { while !word.hasPrefix(prefix) { prefix.removeLast() } }
        return String(prefix)
    }
}
