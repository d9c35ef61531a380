import Foundation
import TestSupport
import Testing

@testable import Core

@Suite struct DemoFolderTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory("hoot-demo-folder")
    }

    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
    }

    private func make(_ name: String) throws {
        let path = "\(directory.path)/\(name)/run"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    @Test func whatADemonstrationLeftGoesWithTheNext() throws {
        try make("hoot-demo-aB3xY9")
        for name in ["hoot-demo-stage-aB3xY9", "hoot-demo-aB3.Y9", "hoot-demo-", "other"] { try make(name) }
        try Data("kept".utf8).write(to: URL(fileURLWithPath: directory.path + "/hoot-demo-file01"))
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/hoot-demo-link01", withDestinationPath: directory.path + "/other")
        let before = names
        let first = try DemoFolder(environment: ["TMPDIR": directory.path])
        let second = try DemoFolder(environment: ["TMPDIR": directory.path])
        let made = Set([first, second].map { String($0.path.dropFirst(directory.path.count + 1)) })
        #expect(names == before.subtracting(["hoot-demo-aB3xY9"]).union(made), "what runs stays, and what is no demo's")
        #expect(FileManager.default.fileExists(atPath: directory.path + "/other/run"))
        first.remove()
        second.remove()
        #expect(names == before.subtracting(["hoot-demo-aB3xY9"]))
    }

    @Test func aKilledDemonstrationsFolderGoesWithTheNext() throws {
        let environment = ConsoleProcess.environment(in: directory).merging(["TMPDIR": directory.path]) { $1 }
        let demo = try ChildProcess(
            [ConsoleProcess.program, "demo", "--headless", "--seconds", "600"], environment: environment)
        let folder = try #require(waitForFolder())
        demo.kill()
        #expect(names.contains(folder))
        let next = try DemoFolder(environment: environment)
        #expect(!names.contains(folder))
        next.remove()
    }

    private func waitForFolder() -> String? {
        for _ in 0..<6000 {
            if let name = names.first(where: { name in
                name.hasPrefix("hoot-demo-") && access("\(directory.path)/\(name)/state/hoot.log", F_OK) == 0
            }) {
                return name
            }
            poll(nil, 0, 10)
        }
        return nil
    }

    @Test(arguments: [
        (nil, "/tmp"), ("", "/tmp"), ("here", "/tmp"), ("/var/tmp", "/var/tmp"),
        ("/" + String(repeating: "x", count: 64), "/tmp"),
    ])
    func thePlaceIsTMPDIRWhereSocketsFit(wanted: String?, place: String) {
        #expect(DemoFolder.parent(wanted.map { ["TMPDIR": $0] } ?? [:]) == place)
    }
}
