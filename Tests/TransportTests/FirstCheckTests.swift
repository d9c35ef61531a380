import CGLib
import Foundation
import Primitives
import Reactor
import TestSupport
import Testing

@testable import Transport

@Suite(.serialized) @EngineActor struct FirstCheckTests {
    @Test func theTimerIsBroughtForwardAndNoOther() async {
        let check = FirstCheck(timerName: "mine")
        let (other, timer) = (NamedTimer("other"), NamedTimer("mine"))
        check.sendAtOnce()
        #expect(await eventually { timer.hasFired })
        #expect(!other.hasFired)
    }

    @Test func whatWasThereBeforeIsLeftAlone() async {
        let timer = NamedTimer("mine")
        let check = FirstCheck(timerName: "mine")
        check.sendAtOnce()
        check.answerAtOnce()
        await passTime(.milliseconds(20))
        #expect(!timer.hasFired)
    }

    /// A library that renames its timer makes set-ups slower by an interval, and nothing else: the log says it, once.
    @Test func aTimerOfAnotherNameIsToldOnce() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/log"
        Log.open(path: path)
        Log.setShowsDebug(true)
        defer { Log.setShowsDebug(false) }
        let pair = try PeerPair()
        defer { pair.close() }
        #expect(try await pair.connect())
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("libnice has no timer"), "it has it")
        for _ in 0..<2 { FirstCheck(timerName: "no such").hasConnected() }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count { $0.contains("libnice has no timer “no such”") } == 1)
    }
}

/// A timer of the engine's context that is due in an hour, unless it is brought forward.
@EngineActor private final class NamedTimer {
    var hasFired = false
    private let source = g_timeout_source_new_seconds(3600)

    init(_ name: String) {
        g_source_set_name(source, name)
        g_source_set_callback(source, timerFired, Unmanaged.passUnretained(self).toOpaque(), nil)
        g_source_attach(source, EngineActor.executor.context)
    }

    isolated deinit {
        g_source_destroy(source)
        g_source_unref(source)
    }
}

private func timerFired(_ data: gpointer?) -> gboolean {
    guard let data else { return 0 }
    let timer = Unmanaged<NamedTimer>.fromOpaque(data).takeUnretainedValue()
    EngineActor.assumeIsolated { timer.hasFired = true }
    return 0
}
