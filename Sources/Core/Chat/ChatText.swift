import Foundation
import Primitives
import Signaling

/// What somebody writes: 1…4000 bytes of UTF-8, in which only a new line moves a cursor.
struct ChatText: Hashable, Sendable {
    static let limit = 4000
    /// Bytes of a frame that are looked at: every byte of a text may be escaped in six.
    static let frameLimit = 6 * limit + 256

    let text: String

    /// Takes what a user of this core wrote.
    init(checking text: String) throws(ChatTextError) {
        guard text.utf8.count <= Self.limit else { throw .tooLong(byteCount: text.utf8.count) }
        guard text.cleaned(keeping: Self.kept) == text else { throw .controlCharacter }
        guard !Self.isBlank(text) else { throw .blank }
        self.text = text
    }

    /// Takes what a peer wrote, without what would move a cursor; `nil` where it is too long or nothing is left.
    init?(receiving text: String) {
        let lines = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\t", with: " ")
        let cleaned = lines.cleaned(keeping: Self.kept)
        guard text.utf8.count <= Self.limit, !Self.isBlank(cleaned) else { return nil }
        self.text = cleaned
    }

    private static let kept: Set<Unicode.Scalar> = ["\n"]

    private static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }
}

/// Why a text cannot be sent.
enum ChatTextError: Error, Hashable, CustomStringConvertible {
    case tooLong(byteCount: Int)
    case controlCharacter
    case blank

    var description: String {
        switch self {
        case .tooLong(let byteCount): "it has \(byteCount) bytes; at most \(ChatText.limit) are sent at once"
        case .controlCharacter: "it has a control character; only new lines are sent"
        case .blank: "there is nothing in it"
        }
    }
}

/// A message of the channel `chat`: one JSON object, told from others by its `type`.
enum ChatFrame {
    private struct Fields: Codable {
        var type: String
        var text: String?
    }

    /// The text message that carries `text`.
    static func encode(_ text: ChatText) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try? encoder.encode(Fields(type: "chat", text: text.text))
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// What a peer sent; `nil` where it is no such object, of another type, or has no text that can be taken.
    static func decode(_ message: String) -> ChatText? {
        guard message.utf8.count <= ChatText.frameLimit,
            let fields = try? JSONDecoder().decode(Fields.self, from: Data(message.utf8)), fields.type == "chat"
        else { return nil }
        return fields.text.flatMap(ChatText.init(receiving:))
    }
}
