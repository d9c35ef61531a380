internal import Primitives

/// The rules for text that people will see or that ends up in a table: bounded, and free of what moves a cursor.
package enum RoomText {
    /// Checks a name of a person or room (`NameError`).
    package static func checkName(_ name: String, field: String) throws(RoomMessageError) {
        do throws(NameError) {
            try NameError.check(name)
        } catch {
            throw .invalid(field: field, reason: "\(error)")
        }
    }

    /// Checks a text of at most `limit` bytes without control characters.
    package static func check(_ text: String, field: String, limit: Int) throws(RoomMessageError) {
        let count = text.utf8.count
        guard count <= limit else {
            throw .invalid(field: field, reason: "has \(count) bytes; at most \(limit) are taken")
        }
        guard !text.hasControls else {
            throw .invalid(field: field, reason: "has a control character")
        }
    }

    /// Checks an identifier: 1…`limit` printable ASCII characters without a space.
    package static func checkIdentifier(
        _ text: String, field: String, least: Int = 1, limit: Int = 64
    ) throws(RoomMessageError) {
        guard (least...limit).contains(text.utf8.count) else {
            throw .invalid(field: field, reason: "has \(text.utf8.count) bytes; \(least) to \(limit) are taken")
        }
        guard text.utf8.allSatisfy({ (33...126).contains($0) }) else {
            throw .invalid(field: field, reason: "has a character outside printable ASCII")
        }
    }
}
