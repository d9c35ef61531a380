import Devices
import MediaEngine
import Primitives
import Synchronization
import TestSupport
import Testing

/// The capture on its own thread, with sources that the test drives.
@Suite struct VideoCaptureTests {
    private let events = CaptureEvents()
    private let sink = CollectingSink()
    private let capture: VideoCapture

    init() throws {
        capture = VideoCapture { [events] in events.add($0) }
        try capture.open()
    }

    /// The brightness of a picture's middle.
    private func luma(_ frame: VideoFrame) -> UInt8 {
        frame.bytes[frame.size.area / 2]
    }

    private func start(_ source: HandSource, eventCount: Int = 1) {
        capture.setSource { source }
        #expect(events.wait { $0.count >= eventCount })
    }

    @Test func theSourceRunsWhileSomebodyLooks() {
        defer { capture.close() }
        let source = HandSource()
        capture.setSource { source }
        #expect(!source.isRunning)
        capture.add(sink, audience: .preview)
        #expect(events.wait { !$0.isEmpty })
        #expect(source.isRunning)
        #expect(capture.status.given?.size == VideoSize(width: 64, height: 48))
        #expect(capture.status.wanted == .standard)
        source.give(100)
        #expect(sink.wait { $0.frames.count == 1 })
        capture.remove(sink)
        #expect(events.wait { $0.last == .stopped })
        #expect(capture.status.given == nil && !capture.status.isRunning)
        capture.add(sink, audience: .preview)
        #expect(events.wait { $0.count == 3 })
        #expect(source.stopCount == 1)
        capture.setSource(nil)
        #expect(events.wait { $0.last == .stopped })
    }

    /// Q18–Q21: the clients see another picture, and nothing else.
    @Test func switchingTheSourceChangesThePicturesOnly() {
        defer { capture.close() }
        let (first, second) = (HandSource(), HandSource(content: .text))
        capture.add(sink, audience: .peers(needsBlack: false))
        start(first)
        first.give(100)
        #expect(sink.wait { $0.frames.count == 1 })
        start(second, eventCount: 2)
        #expect(!first.isRunning)
        first.give(50)
        second.give(200, at: .now() + .seconds(1))
        #expect(sink.wait { $0.frames.count == 2 })
        #expect(sink.all.frames.map(luma) == [100, 200])
        #expect(sink.all.contents == [.motion, .text])
    }

    /// Q51.
    @Test func aSourceThatCannotStartLeavesTheOneBefore() {
        defer { capture.close() }
        let (first, second) = (HandSource(), HandSource(refuses: true))
        capture.add(sink, audience: .peers(needsBlack: false))
        start(first)
        start(second, eventCount: 2)
        #expect(events.all.last == .startFailed(reason: "no picture today", keepsPrevious: true))
        #expect(first.isRunning && first.stopCount == 0)
        first.give(120)
        #expect(sink.wait { $0.frames.count == 1 })
    }

    /// Whether the second can be started shows only when somebody looks again.
    @Test func aSourceThatCannotStartLaterLeavesTheOneBefore() {
        defer { capture.close() }
        let (first, second) = (HandSource(), HandSource(refuses: true))
        capture.add(sink, audience: .peers(needsBlack: false))
        start(first)
        capture.remove(sink)
        capture.setSource { second }
        capture.setSource { second }
        capture.add(sink, audience: .peers(needsBlack: false))
        #expect(events.wait { $0.count == 4 })
        #expect(events.all[2] == .startFailed(reason: "no picture today", keepsPrevious: true))
        #expect(first.isRunning && first.startCount == 2)
    }

    /// Whoever asked hears how it went; a source that is not wanted yet cannot fail yet.
    @Test func whatBecomesOfAChoiceIsAnswered() {
        defer { capture.close() }
        let answers = Mutex<[String]>([])
        let bell = Doorbell()
        let outcome: @Sendable (String?) -> Void = { failure in
            answers.withLock { $0.append(failure ?? "fine") }
            bell.ring()
        }
        capture.setSource(outcome: outcome) { HandSource(refuses: true) }
        capture.setSource(outcome: outcome) { throw HandSource.Refusal() }
        capture.add(sink, audience: .preview)
        capture.setSource(outcome: outcome) { HandSource(refuses: true) }
        capture.setSource(outcome: outcome) { HandSource() }
        capture.setSource(outcome: outcome, nil)
        #expect(bell.wait(within: .seconds(20)) { answers.withLock(\.count) == 5 })
        #expect(answers.withLock(\.self) == ["fine", "no picture today", "no picture today", "fine", "fine"])
    }

    /// A32: with nobody who looks, too.
    @Test func aKeptSourceRunsWhoeverLooks() {
        defer { capture.close() }
        let source = HandSource()
        capture.setKept(true)
        start(source)
        #expect(source.isRunning)
        capture.add(sink, audience: .preview)
        capture.remove(sink)
        capture.setEnabled(false)
        capture.setEnabled(true)
        capture.setOpen(false)
        capture.setOpen(true)
        #expect(events.wait { $0.count == 3 })
        #expect(source.startCount == 2, "closed, it is released")
    }

    @Test func aCameraIsReleasedBeforeItIsOpenedAnew() {
        defer { capture.close() }
        let (first, second) = (HandSource(resource: "camera"), HandSource(resource: "camera", refuses: true))
        capture.add(sink, audience: .peers(needsBlack: false))
        start(first)
        start(second, eventCount: 3)
        #expect(first.stopCount == 1 && first.startCount == 2 && first.isRunning)
    }

    @Test func aSourceThatCannotBeMadeIsTold() {
        defer { capture.close() }
        capture.setSource { throw HandSource.Refusal() }
        #expect(events.wait { $0 == [.startFailed(reason: "no picture today", keepsPrevious: false)] })
    }

    /// A32 and Q17: nothing captured after the key, black for those who need it, and the camera stays open.
    @Test func disabledVideoSendsNoPictureMore() {
        defer { capture.close() }
        let source = HandSource()
        let preview = CollectingSink()
        capture.add(sink, audience: .peers(needsBlack: true))
        capture.add(preview, audience: .preview)
        start(source)
        source.give(100)
        #expect(sink.wait { $0.frames.contains { luma($0) == 100 } })
        capture.setEnabled(false)
        sink.forget()
        source.give(200, at: .now() + .seconds(1))
        #expect(preview.wait { $0.frames.count == 2 })
        #expect(sink.wait { !$0.frames.isEmpty })
        let values = Set(sink.all.frames.flatMap(\.bytes))
        #expect(values == [16, 128])
        #expect(source.stopCount == 0)
        #expect(capture.status.blackCount >= 1)
        capture.setEnabled(true)
        source.give(150, at: .now() + .seconds(2))
        #expect(sink.wait { $0.frames.contains { luma($0) == 150 } })
    }

    /// A31 and Q62.
    @Test func closingAndSuspendingReleaseTheSource() {
        defer { capture.close() }
        let source = HandSource()
        capture.add(sink, audience: .peers(needsBlack: false))
        start(source)
        capture.setOpen(false)
        capture.setOpen(true)
        #expect(events.wait { $0.count == 3 })
        #expect(source.stopCount == 1)
        capture.setSuspended(true)
        capture.setSuspended(false)
        #expect(events.wait { $0.count == 5 })
        #expect(source.stopCount == 2 && source.isRunning)
    }

    @Test func theLastPictureIsRepeatedOnRequest() {
        defer { capture.close() }
        let source = HandSource(content: .text)
        capture.add(sink, audience: .peers(needsBlack: false))
        start(source)
        source.give(90)
        #expect(sink.wait { $0.frames.count == 1 })
        capture.repeatPicture(for: sink)
        #expect(sink.wait { $0.frames.count == 2 })
        #expect(sink.all.frames.map(luma) == [90, 90])
        let late = CollectingSink()
        capture.add(late, audience: .peers(needsBlack: false))
        #expect(late.wait { $0.frames.map(luma) == [90] })
    }

    @Test func aStillScreenIsSeenAgainWhenVideoIsEnabled() {
        defer { capture.close() }
        let source = HandSource(content: .text)
        capture.add(sink, audience: .peers(needsBlack: false))
        start(source)
        source.give(90)
        #expect(sink.wait { $0.frames.count == 1 })
        capture.setEnabled(false)
        source.give(120, at: .now() + .seconds(1))
        capture.setEnabled(true)
        #expect(sink.wait { $0.frames.last.map(luma) == 120 })
    }

    /// A120.2: the screen that shows a camera's preview mirrors it, and it alone.
    @Test func aPreviewIsAsOthersSeeIt() {
        defer { capture.close() }
        let camera = ScriptedCamera(CameraScripts.webcam)
        let preview = CollectingSink()
        capture.add(sink, audience: .peers(needsBlack: false))
        capture.add(preview, audience: .preview)
        capture.setSource { CameraSource(path: "/dev/video0", calls: camera) }
        #expect(events.wait { $0.count == 1 })
        let (light, dark) = ([UInt8](repeating: 200, count: 640), [UInt8](repeating: 50, count: 640))
        camera.give((0..<480).flatMap { _ in light + dark }, sequence: 0)
        #expect(preview.wait { $0.frames.count == 1 } && sink.wait { $0.frames.count == 1 })
        let rows = [preview, sink].map { Array($0.all.frames[0].bytes.prefix(640)) }
        #expect(rows[0] == rows[1])
        #expect(rows[0][0] > rows[0][639], "left is left")
    }

    /// Q59.
    @Test func whatWasDroppedIsCounted() {
        defer { capture.close() }
        let source = HandSource()
        capture.add(sink, audience: .peers(needsBlack: false))
        start(source)
        source.drop(3)
        source.give(90)
        #expect(sink.wait { $0.frames.count == 1 })
        #expect(capture.status.droppedCount == 3)
        #expect(capture.status.capturedCount == 1)
    }

    @Test func interruptionsAndTheEndAreTold() {
        defer { capture.close() }
        let source = HandSource()
        capture.add(sink, audience: .peers(needsBlack: true))
        start(source)
        source.interrupt("unplugged")
        #expect(events.wait { $0.contains(.interrupted(reason: "unplugged")) })
        source.give(90)
        #expect(events.wait { $0.contains(.resumed) })
        source.end("over")
        #expect(events.wait { $0.contains(.ended(reason: "over")) })
        #expect(!capture.status.isRunning)
    }
}
