import ControlProtocol
import Testing

@testable import Console

@Suite struct LineVerbTests {
    @Test(arguments: [
        ("mute", LineVerb.request("audio.mute", ["on": .bool(true)])),
        ("mute off", .request("audio.mute", ["on": .bool(false)])),
        ("mute toggle", .request("audio.mute", ["on": .string("toggle")])),
        ("deafen", .request("audio.deafen", ["on": .bool(true)])),
        ("talk", .request("audio.talk", ["on": .bool(true)])),
        ("hold", .request("call.hold", ["on": .bool(true)])), ("video", .request("video.mute", ["on": .bool(false)])),
        ("video toggle", .request("video.mute", ["on": .string("toggle")])),
        ("hold off", .request("call.hold", ["on": .bool(false)])),
        ("silence chi", .request("participant.silence", ["participant": .string("chi"), "on": .bool(true)])),
        ("unsilence chi", .request("participant.silence", ["participant": .string("chi"), "on": .bool(false)])),
        ("prioritize chi", .request("participant.prioritize", ["participant": .string("chi"), "on": .bool(true)])),
        ("note the door bell", .request("call.note", ["text": .string("the door bell")])),
        ("kick", .misused("kick: NAME is missing")), ("leave now", .misused("nothing stands behind leave")),
        ("unmute", .request("audio.mute", ["on": .bool(false)])),
        ("join standup", .request("call.join", ["what": .string("standup"), "muted": .bool(false)])),
        ("ring chi,dee", .request("room.ring", ["names": .array([.string("chi"), .string("dee")])])),
        ("chat see you at noon", .request("chat.send", ["text": .string("see you at noon")])),
        ("show pattern", .request("video.select", ["source": .string("pattern")])),
        ("video on", .request("video.mute", ["on": .bool(false)])),
        ("video off", .request("video.mute", ["on": .bool(true)])),
        ("preview", .request("video.preview", ["on": .bool(true)])),
        ("preview off", .request("video.preview", ["on": .bool(false)])),
        ("route toggle", .request("audio.route", ["route": .string("toggle")])),
        ("route", .misused("route: speaker|receiver|toggle is missing")),
        ("video of", .misused("video takes on, off or toggle, not “of”")),
        ("audio.gain percent=120", .request("audio.gain", ["percent": .integer(120)])),
        ("  ", .nothing), ("quit", .quit), ("help", .help(nil)), ("help mute", .help("mute")), ("status", .status),
        ("dance", .unknown("dance")), ("detail", .detail(nil)), ("detail all", .detail(.all)),
        ("detail more", .misused("detail takes quiet|normal|all, not “more”")),
        ("audio.gain percent=1 percent=2", .misused("audio.gain: “percent” is given twice")),
        ("audio.gain =5", .misused("audio.gain takes KEY=VALUE, not “=5”")),
        ("stats", .request("stats.text", [:])), ("stats bob", .request("stats.text", ["participant": .string("bob")])),
        ("revoke 3", .request("room.revoke", ["invite": .integer(3)])),
        ("audio.gain 120", .misused("audio.gain takes KEY=VALUE, not “120”")),
    ])
    func aLineIsAVerbOrAMethod(line: String, verb: LineVerb) {
        #expect(LineVerb(line) == verb)
    }
}
