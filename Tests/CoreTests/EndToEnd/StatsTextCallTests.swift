import ControlProtocol
import Foundation
import Primitives
import TestSupport
import Testing

/// The text report of a real call with pictures both ways, its numbers masked.
@Suite(.serialized) struct StatsTextCallTests {
    private static let golden = """
        b
        CN #ms | local->local/udp | (s)#bps | (r)#bps
        VS (input) #x#@#fps | (sent) #x#@#fps
        VS (enc) #bps/#bps | (sent) #bps/#bps | #ms | VP8
        AvgQP (past # encoded frames) = #
        VR (recv) #x#@#fps | (decoded)# | (output)#fps | #bps/#bps | #ms
        AS #bps | opus
        AR #bps | opus | #ms | (expandrate)#
        Packets lost: VS # | VR # | AS # | AR #
        """

    @Test func everyStreamHasItsLineAndFigures() throws {
        let a = try SoundingCore("a", pulse: nil)
        let b = try SoundingCore("b", pulse: nil)
        try b.join(try a.host("room"))
        try #require(try a.waitForPeople(1) && b.waitForPeople(1))
        for core in [a, b] {
            try core.call("video.select", ["source": .string("pattern")])
            try core.call("video.mute", ["on": .bool(false)])
        }
        #expect(try a.wait { $0.people.first?.video == .share } && b.wait { $0.people.first?.video == .share })
        // What nobody shows is neither sent nor decoded.
        let eyes = try [a, b].map { try Eye($0, at: $0.people[0].id, width: 640, height: 480) }
        for eye in eyes { #expect(eye.next() != nil) }
        var text = ""
        let isWhole = try a.wait(within: .seconds(40)) { core in
            text = (try? core.call("stats.text", ["participant": .string("b")])["text"]?.stringValue) ?? ""
            return Self.masked(text) == Self.golden && core.figuresAreWhole
        }
        #expect(isWhole, "\(text)\n\(Self.masked(text))\n\(String(describing: a.statistics?.people))")
    }

    private static func masked(_ text: String) -> String {
        text.replacing(#/[0-9]+(\.[0-9]+)?[KM]?bps/#, with: "#bps").replacing("VP8", with: "VP_")
            .replacing(#/[0-9]+(\.[0-9]+)?/#, with: "#").replacing("VP_", with: "VP8")
    }
}

extension SoundingCore {
    /// Whether the panels know everything about the pictures both ways.
    fileprivate var figuresAreWhole: Bool {
        guard let figures = statistics?.people.values.first, let received = figures.video, let sent = figures.videoSent
        else { return false }
        return received.isWhole && sent.isWhole && received.freezeCount != nil && (sent.targetKbps ?? 0) > 0
    }
}

extension VideoFigures {
    fileprivate var isWhole: Bool {
        let running = [framesPerSecond, framesPerSecondIn, bitrateKbps, averageQP, codecMs]
        let counts = [nackCount, pliCount, lostCount]
        return running.allSatisfy { ($0 ?? 0) > 0 } && counts.allSatisfy { $0 != nil } && (keyFrames ?? 0) > 0
            && codec == "vp8" && (width ?? 0) > 0 && (height ?? 0) > 0
    }
}
