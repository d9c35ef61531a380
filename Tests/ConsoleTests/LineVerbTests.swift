import ControlProtocol
import Testing

@testable import Console

@Suite struct LineVerbTests {
    @Test(arguments: [
        ("mute", LineVerb.request("audio.mute", ["on": .bool(true)])),
        ("unmute", .request("audio.mute", ["on": .bool(false)])),
        ("join standup", .request("call.join", ["what": .string("standup"), "muted": .bool(false)])),
        ("ring chi,dee", .request("room.ring", ["names": .array([.string("chi"), .string("dee")])])),
        ("chat see you at noon", .request("chat.send", ["text": .string("see you at noon")])),
        ("audio.gain percent=120", .request("audio.gain", ["percent": .integer(120)])),
        ("  ", .nothing), ("quit", .quit), ("help", .help), ("status", .status), ("dance", .unknown("dance")),
        ("audio.gain 120", .unknown("120")),
    ])
    func aLineIsAVerbOrAMethod(line: String, verb: LineVerb) {
        #expect(LineVerb(line) == verb)
    }
}
