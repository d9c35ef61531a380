import Foundation
import Testing

@testable import Signaling

/// The page from which others write clients names every message and every code, and so does the module's own table.
@Suite struct ProtocolPageTests {
    static let page = text("hoot/hoot.docc/Rooms.md")
    static let comment = text("Signaling/Messages/RoomProtocol.swift").split(separator: "\n")
        .filter { $0.hasPrefix("///") }.joined(separator: "\n")

    static func text(_ path: String) -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        return
            (try? String(contentsOfFile: folder.appendingPathComponent("../../Sources/\(path)").path, encoding: .utf8))
            ?? ""
    }

    static let messages =
        RoomProtocolTests.fromClient.map { RoomProtocol.encode($0) }
        + RoomProtocolTests.fromServer.map { RoomProtocol.encode($0) }

    @Test func everyMessageAndFieldIsInThePage() throws {
        for bytes in Self.messages {
            let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            for field in object.keys where field != "type" {
                #expect(Self.page.contains("`\(field)`"), "\(field) of \(object["type"] ?? "")")
            }
            #expect(Self.page.contains("`\(object["type"] ?? "")`"))
        }
    }

    @Test func everyMessageIsInTheModulesTable() throws {
        for bytes in Self.messages {
            let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            let type = try #require(object["type"] as? String)
            let isRelayed = RoomProtocolTests.peers.contains { $0.type == type }
            #expect(isRelayed || Self.comment.contains("`\(type)`"), "\(type)")
        }
    }

    @Test(arguments: RefusalCode.allCases.map(\.rawValue))
    func everyCodeIsInThePage(_ code: String) {
        #expect(Self.page.contains("`\(code)`"))
    }

    @Test(
        arguments: LeaveReason.allCases.map(\.rawValue) + KnockOutcome.allCases.map(\.rawValue)
            + RoomRole.allCases.map(\.word))
    func everyOtherWordIsInThePage(_ word: String) {
        #expect(Self.page.contains("`\(word)`"))
    }
}
