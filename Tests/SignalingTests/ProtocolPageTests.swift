import Foundation
import Testing

@testable import Signaling

/// The page from which others write clients names every message and every code.
@Suite struct ProtocolPageTests {
    static let page: String = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let path = folder.appendingPathComponent("../../Sources/hoot/hoot.docc/Rooms.md").path
        return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }()

    @Test func everyMessageAndFieldIsInThePage() throws {
        let messages =
            RoomProtocolTests.fromClient.map { RoomProtocol.encode($0) }
            + RoomProtocolTests.fromServer.map { RoomProtocol.encode($0) }
        for bytes in messages {
            let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            for field in object.keys where field != "type" {
                #expect(Self.page.contains("`\(field)`"), "\(field) of \(object["type"] ?? "")")
            }
            #expect(Self.page.contains("`\(object["type"] ?? "")`"))
        }
    }

    @Test(arguments: [
        RefusalCode.notAdmitted, .roomFull, .version, .malformed, .unknownType, .invalid, .tooLong, .tooLate, .rate,
        .tooSlow, .replaced, .notAllowed, .unknownMember, .roomClosed,
    ])
    func everyCodeIsInThePage(_ code: RefusalCode) {
        #expect(Self.page.contains("`\(code.rawValue)`"))
    }
}
