import ControlProtocol

/// `hoot record`.
enum RecordCommand {
    static let command = Command(
        name: "record", operands: "[on|off|toggle]", summary: "record the call in a file, or record no more",
        options: [Option("file", argument: "FILE", "the file to make")],
        details: """
            Without a word: on. The file has what is heard here and what is sent from here; everybody in the call is told.
            Without --file it is made in the state directory. Its ending says what it is: .opus, .ogg, .flac or .wav. No
            file is overwritten.
            """,
        operandCount: 0...1,
        run: { invocation in
            var params: [String: JSONValue] = ["on": .string(try SwitchCommands.wish(invocation.operands.first))]
            params["file"] = invocation.options["file"].map { .string($0.absolutePath) }
            let result = try Session.attach().call("call.record", params)
            let isOn = result["on"]?.boolValue == true
            let file = result["file"]?.stringValue
            Output.line("record " + (isOn ? "on" : "off") + (file.map { ": \($0)" } ?? ""))
            return 0
        })
}
