import ControlProtocol

/// `hoot devices`.
enum DevicesCommand {
    static let command = Command(
        name: "devices", operands: "", summary: "the microphones and speakers there are",
        options: [Option("json", "as JSON")],
        run: { invocation in
            let result = try Session.attachOrStart().call("audio.devices")
            guard !invocation.has("json") else {
                Output.line(result.text)
                return 0
            }
            for (title, key) in [("microphones", "inputs"), ("speakers", "outputs")] {
                Output.line("\(title):")
                guard case .array(let devices)? = result[key], !devices.isEmpty else {
                    Output.line("  none")
                    continue
                }
                for device in devices {
                    let mark = device["isUsed"]?.boolValue == true ? "*" : " "
                    Output.line(
                        "\(mark) \(device["name"]?.stringValue ?? "")  \(device["description"]?.stringValue ?? "")")
                }
            }
            if let note = result["note"]?.stringValue { Output.line(note) }
            return 0
        })
}
