import ControlProtocol

/// The commands that switch something: thin names for methods. Without a word they do what they are called.
enum SwitchCommands {
    static let all = [
        make("mute", method: "audio.mute", "mute the microphone, or unmute it"),
        make("talk", method: "audio.talk", "talk where the microphone is pushed to talk, or talk no more"),
        make("hold", method: "call.hold", "hold the call, or resume it"),
        make("deafen", method: "audio.deafen", "hear nobody, or everybody again"),
        video,
        route,
        prioritize,
    ]

    private static func make(_ name: String, method: String, _ summary: String) -> Command {
        Command(
            name: name, operands: "[on|off|toggle]", summary: summary, details: "Without a word: on.",
            operandCount: 0...1,
            run: { invocation in
                let wish = try wish(invocation.operands.first)
                let result = try Session.attach().call(method, ["on": .string(wish)])
                Output.line("\(name) " + (result["on"]?.boolValue == true ? "on" : "off"))
                return 0
            })
    }

    static func wish(_ word: String?) throws -> String {
        let wish = word ?? "on"
        guard ["on", "off", "toggle"].contains(wish) else { throw UsageError("on, off or toggle, not \(wish.quoted)") }
        return wish
    }

    /// The method says whether nothing is shown.
    private static let video = Command(
        name: "video", operands: "[on|off|toggle]", summary: "show the others your picture, or show it no more",
        details: "Without a word: on. `hoot show` says which picture.", operandCount: 0...1,
        run: { invocation in
            let opposite = ["on": "off", "off": "on"]
            let wish = try wish(invocation.operands.first)
            let result = try Session.attach().call("video.mute", ["on": .string(opposite[wish] ?? wish)])
            Output.line("video " + (result["on"]?.boolValue == true ? "off" : "on"))
            return 0
        })

    private static let prioritize = Command(
        name: "prioritize", operands: "NAME [on|off|toggle]",
        summary: "put one person's picture first where the network cannot carry all", operandCount: 1...2,
        run: { invocation in
            let wish = try wish(invocation.operands.dropFirst().first)
            let name = invocation.operands[0]
            let result = try Session.attach().call(
                "participant.prioritize", ["participant": .string(name), "on": .string(wish)])
            Output.line("\(name) " + (result["on"]?.boolValue == true ? "comes first" : "comes first no more"))
            return 0
        })

    private static let route = Command(
        name: "route", operands: "speaker|receiver|toggle", summary: "play by the loudspeaker or the private receiver",
        operandCount: 1...1,
        run: { invocation in
            let wish = invocation.operands[0]
            guard ["speaker", "receiver", "toggle"].contains(wish) else {
                throw UsageError("speaker, receiver or toggle, not \(wish.quoted)")
            }
            let result = try Session.attach().call("audio.route", ["route": .string(wish)])
            Output.line("route " + (result["route"]?.stringValue ?? wish))
            return 0
        })
}
