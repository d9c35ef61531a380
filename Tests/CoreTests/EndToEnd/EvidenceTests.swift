import ControlProtocol
import Foundation
import Primitives
import TestSupport
import Testing

@testable import Core

/// What is kept of a call: the last hour, its file, its summary.
@Suite(.serialized) struct EvidenceTests {
    @Test func everySecondAndNoteOfACallIsKept() throws {
        let pair = try TonePair()
        try #require(pair.earB.hears(TonePair.hzOfA))
        let hoot = pair.b.program
        #expect(try hoot.run("note", "a", "loud", "bang").output == "noted\n")
        #expect(try pair.b.wait { $0.events.contains { $0.kind == .note && $0.text == "noted: a loud bang" } })
        let table = try eventually {
            try hoot.run("stats", "a", "--csv").output
        } until: {
            heard(in: $0).count >= 3
        }
        #expect(heard(in: table).allSatisfy { $0["receivedLossPercent"] == "0.0" && $0["name"] == "a" }, "\(table)")
        #expect(rows(of: table).contains { $0["note"] == "a loud bang" && $0["name"] == "" })
        #expect(
            try hoot.run("stats", "nobody", "--csv").output.split(separator: "\n").count == 2, "the header, the note")
        try pair.b.call("call.leave")
        #expect(try pair.b.wait { $0.state.lastEnd != nil })
        let end = try #require(pair.b.state.lastEnd)
        #expect(end.duration != nil && end.lossPercent == 0 && (end.mos ?? 0) > 4)
        let path = try #require(end.figuresPath)
        let file = try String(contentsOfFile: path, encoding: .utf8)
        #expect(file.hasPrefix(EvidenceSample.csvHeader + "\n") && file.hasSuffix("\n"))
        #expect(heard(in: file).count >= 3 && file.contains("a loud bang"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func nothingIsKeptInFilesWhereThatIsWished() throws {
        let pair = try TonePair()
        try pair.b.call("settings.set", ["name": .string("call.keep-figures"), "value": .bool(false)])
        // The file that was begun before is whole; a new call makes none.
        try pair.b.call("call.leave")
        let folder = pair.b.program.directories.figuresPath
        let before = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        try pair.b.join(pair.a.program.run("invite").output.split(separator: "\n").first.map(String.init) ?? "")
        try #require(pair.earB.hears(TonePair.hzOfA))
        _ = try eventually {
            try pair.b.program.run("stats", "--csv").output
        } until: {
            heard(in: $0).count >= 3
        }
        try pair.b.call("call.leave")
        #expect(try pair.b.wait { $0.state.lastEnd != nil && $0.state.lastEnd?.figuresPath == nil })
        #expect(((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []) == before)
    }

    @Test func theLastHourIsGivenInPagesAndNoMore() {
        var log = EvidenceLog()
        for second in 0..<5000 {
            for person in ["p", "q"] {
                var sample = EvidenceSample(time: second * 1000, call: "c", room: "r")
                sample.participant = person
                log.add(sample)
            }
        }
        var times: [Int] = []
        var since: Int? = 0
        while let from = since {
            let page = log.page(since: from) { $0.participant == "q" }
            #expect(page.samples.count <= EvidenceLog.pageLength)
            times += page.samples.map(\.time)
            since = page.next
        }
        #expect(times == Array(stride(from: 1_399_000, through: 4_999_000, by: 1000)))
        #expect(log.page(since: 4_999_000) { _ in true }.samples.count == 2)
    }

    @Test func recordsOfManyCallsTakeBoundedRoomAndNoName() async throws {
        let folder = try TemporaryDirectory("calls")
        for number in 100..<160 {
            let record = try await CallRecord(room: "../../é x", at: "2026-01-01T000\(number)", in: folder.path)
            try await record.flush()
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.count == 50)
        #expect(names.last?.hasPrefix("2026-01-01T000159-______") == true)
    }

    private func rows(of table: String) -> [[String: String]] {
        let lines = table.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        guard let header = lines.first else { return [] }
        return lines.dropFirst().map { line in
            Dictionary(zip(header.map(String.init), line.map(String.init))) { first, _ in first }
        }
    }

    /// The seconds in which somebody was heard.
    private func heard(in table: String) -> [[String: String]] {
        rows(of: table).filter { (Double($0["receivedKbps"] ?? "") ?? 0) > 5 && $0["receivedLossPercent"] != "" }
    }

    private func eventually<Value>(
        _ make: () throws -> Value, until isSo: (Value) -> Bool
    ) throws -> Value {
        let deadline = Date() + 20
        var value = try make()
        while !isSo(value), Date() < deadline { value = try make() }
        return value
    }
}
