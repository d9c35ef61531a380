internal import Primitives

/// Why a name of a room or of a person is refused.
package enum NameError: Error, Equatable, CustomStringConvertible {
    case empty
    case tooLong(byteCount: Int)
    case controlCharacter(UInt32)
    /// `.` and `..`: a browser would take them out of the link.
    case dots

    package var description: String {
        switch self {
        case .empty: "the name shows nothing; give at least one character"
        case .tooLong(let count): "the name has \(count) bytes; at most \(RoomName.maximumByteCount) are allowed"
        case .controlCharacter(let value):
            "the name has the control character U+\(String(value, radix: 16, uppercase: true)); leave it out"
        case .dots: "a room cannot be named “.” or “..”; choose another name"
        }
    }
}

/// The name of a room: 1…255 bytes of UTF-8 without control characters.
package struct RoomName: Hashable, Sendable, CustomStringConvertible {
    package static let maximumByteCount = 255

    package let text: String

    package init(_ text: String) throws(NameError) {
        try NameError.check(text)
        guard text != ".", text != ".." else { throw .dots }
        self.text = text
    }

    package var description: String {
        text
    }
}

extension NameError {
    /// The rule that names of rooms and of people share: 1…255 bytes, something to see, nothing that moves a cursor, breaks a line or
    /// turns the direction of the text around it.
    package static func check(_ name: String) throws(NameError) {
        guard !isBlank(name) else { throw .empty }
        let count = name.utf8.count
        guard count <= RoomName.maximumByteCount else { throw .tooLong(byteCount: count) }
        if let scalar = name.unicodeScalars.first(where: \.isControl) { throw .controlCharacter(scalar.value) }
    }

    /// Whether there is something to see: not only spaces, fillers and marks.
    private static func isBlank(_ name: String) -> Bool {
        !name.unicodeScalars.contains { scalar in
            let isFiller = [0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800].contains(scalar.value)
            return !isFiller && !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
