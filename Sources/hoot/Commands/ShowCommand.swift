import ControlProtocol

/// `hoot show`.
enum ShowCommand {
    static let command = Command(
        name: "show", operands: "[SOURCE]", summary: "choose the picture that the others see, and show it",
        details: """
            SOURCE is one of
              camera [NAME]         a camera of the list; the first one without a NAME
              pattern [NUMBER]      a moving test picture
              file PATH             a Y4M file, and the sound file of its name beside it
              terminal [COMMAND…]   the screen of a command; of a shell without one
              none                  nothing
            Without a SOURCE it says which there are.
            """,
        operandCount: 0...1024, takesWordsAsTheyAre: true,
        run: { invocation in
            let session = try Session.attach()
            guard let source = source(invocation.operands) else { return try list(session) }
            let result = try session.call("video.select", ["source": .string(source)])
            if source != "none" { try session.call("video.mute", ["on": .bool(false)]) }
            Output.line("showing " + (result["source"]?.stringValue ?? source))
            return 0
        })

    /// The name that the method knows it by.
    private static func source(_ words: [String]) -> String? {
        guard let kind = words.first else { return nil }
        let rest = words.dropFirst().joined(separator: " ")
        switch kind {
        case "camera" where rest.isEmpty: return "default"
        case "file" where !rest.isEmpty: return "file:" + rest.absolutePath
        default: return rest.isEmpty ? kind : "\(kind):\(rest)"
        }
    }

    private static func list(_ session: Session) throws -> Int32 {
        let chosen = try session.state().video.source?.name
        guard case .array(let sources)? = try session.call("video.sources")["sources"] else { return 1 }
        for source in sources {
            let name = source["name"]?.stringValue ?? ""
            Output.line("\(name == chosen ? "*" : " ") \(name)  \(source["description"]?.stringValue ?? "")")
        }
        return 0
    }
}
