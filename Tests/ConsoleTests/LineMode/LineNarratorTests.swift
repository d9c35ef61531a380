import ControlProtocol
import Primitives
import Testing

@testable import Console

/// What the line mode tells by itself, and how often.
struct LineNarratorTests {
    private var narrator = LineNarrator()
    private var now = MonoTime.zero
    private var revision = 0

    init() throws {
        var state = CoreState()
        state.activeCall = "c1"
        state.calls["c1"] = Fixture.call(startedAt: 0)
        state.audio.microphone = .live
        #expect(send(state).isEmpty, "how things stand at the beginning is told otherwise")
    }

    private mutating func send(_ state: CoreState, isAnswering: Bool = false) -> [String] {
        revision += 1
        return narrator.take(.state(revision: revision, state), at: now, isAnswering: isAnswering)
    }

    /// Levels for `seconds`, in which `id` speaks.
    private mutating func speak(_ id: String?, seconds: Double) -> [String] {
        var levels = LevelsUpdate()
        levels.speaking = id
        return (0..<Int(seconds * 10)).flatMap { _ in
            now = now + .milliseconds(100)
            return narrator.take(.levels(levels), at: now)
        }
    }

    private mutating func judge(_ verdict: String?, seconds: Int) -> [String] {
        var statistics = StatisticsUpdate()
        statistics.verdict = verdict
        return (0..<seconds).flatMap { _ in
            now = now + .seconds(1)
            return narrator.take(.statistics(statistics), at: now)
        }
    }

    private mutating func tell(_ kind: EventUpdate.Kind) -> Bool {
        !narrator.take(.event(EventUpdate(time: 0, kind: kind, text: "it happened")), at: now).isEmpty
    }

    @Test mutating func whoSpeaksIsToldOnceAndNotTooOften() {
        #expect(speak("p3", seconds: 0.5).isEmpty, "a word")
        #expect(speak("p3", seconds: 3) == ["chi speaks"])
        #expect(speak("p2", seconds: 1.5).isEmpty, "too soon")
        #expect(speak("p2", seconds: 5) == ["bob speaks"])
        #expect(speak(nil, seconds: 20).isEmpty)
        #expect(speak("p2", seconds: 5).isEmpty, "it was bob who spoke last")
        #expect(speak(ConsoleModel.me, seconds: 5) == ["you speak"])
        narrator.detail = .quiet
        #expect(speak("p4", seconds: 20).isEmpty)
    }

    @Test mutating func aBadLinkIsToldOnceAndItsEndToo() {
        #expect(judge("chi's uplink loses 8%: all hear it", seconds: 1) == ["chi's uplink loses 8%: all hear it"])
        #expect(judge("chi's uplink loses 11%: all hear it", seconds: 20).isEmpty, "figures change")
        #expect(judge(nil, seconds: 5).isEmpty)
        #expect(judge("chi's uplink loses 9%: all hear it", seconds: 5).isEmpty)
        #expect(judge("your uplink loses 9%", seconds: 2) == ["your uplink loses 9%"])
        #expect(judge("your uplink loses 9%", seconds: 60) == ["your uplink loses 9%"])
        #expect(judge(nil, seconds: 60) == ["the losses are over"])
    }

    @Test mutating func theMicrophoneIsToldAtEveryDetailUnlessAnAnswerTellsIt() {
        var state = narrator.state
        for detail in LineDetail.allCases {
            narrator.detail = detail
            state.audio.isMuted.toggle()
            state.audio.microphone = state.audio.isMuted ? .muted : .live
            #expect(send(state) == [state.audio.isMuted ? "microphone muted." : "microphone live."])
            #expect(send(state).isEmpty)
        }
        state.audio.isMuted.toggle()
        state.audio.microphone = .closed
        #expect(send(state, isAnswering: true).isEmpty)
    }

    /// Who hears a screen is to know that a camera is open, and for whom.
    @Test mutating func whoIsSeenByWhomIsToldAsItChanges() {
        var state = narrator.state
        var source = VideoSourceState(name: "default", description: "USB camera")
        (source.width, source.height, source.frameRate) = (640, 480, 30)
        state.video.source = source
        #expect(send(state).isEmpty, "nothing is open")
        (state.video.isOpen, state.video.camera) = (true, .muted)
        let words = "USB camera is open at 640x480, 30 frames a second: "
        #expect(send(state, isAnswering: true) == [words + "nobody else sees it."])
        #expect(StatusText.lines(state).contains(words + "nobody else sees it."))
        state.video.camera = .live
        #expect(send(state) == [words + "the others see it."])
        state.video.isOpen = nil
        #expect(send(state) == ["no picture is open."])
    }

    @Test func statusTellsWhoRecords() {
        var state = narrator.state
        state.activeCall = "c1"
        state.calls["c1"] = Fixture.call(startedAt: 0)
        #expect(!StatusText.lines(state).contains { $0.contains("record") })
        state.calls["c1"]?.people["p3"]?.isRecording = true
        #expect(StatusText.lines(state).contains("chi records the call"))
        state.calls["c1"]?.people["p2"]?.isRecording = true
        #expect(StatusText.lines(state).contains("bob, chi record the call"))
    }

    @Test mutating func detailDecidesWhatElseIsTold() {
        let expectations: [(LineDetail, [EventUpdate.Kind], [EventUpdate.Kind])] = [
            (
                .quiet, [.knock, .callRinging, .chat, .callEnded, .memberRecordingOn, .warning],
                [.memberJoined, .memberMuted, .camera]
            ),
            (.normal, [.knock, .memberJoined, .memberLeft, .memberMuted, .memberHeld], [.camera, .network]),
            (.all, EventUpdate.Kind.allCases, []),
        ]
        for (detail, told, untold) in expectations {
            narrator.detail = detail
            for kind in told + untold {
                let isTold = tell(kind)
                #expect(isTold == told.contains(kind), "\(detail): \(kind)")
            }
        }
    }
}
