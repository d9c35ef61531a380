import Primitives

/// One picture that a console wants to be sent, scaled to what it can show. A request names all of them at once; who is
/// not named is not sent, and a picture that nobody wants is not decoded.
package struct VideoWish: Hashable, Sendable {
    /// The most pictures that a console may want.
    package static let limit = 16
    /// Sides of a picture: more samples than the largest screen has are never wanted.
    package static let sides = 1...1024

    /// Whose: a participant's id; `me` is the person here.
    package var participant: String
    /// Pixels. The whole picture fills them, whatever its own shape; the console knows what shape its cells have.
    package var width: Int
    package var height: Int

    package init(participant: String, width: Int, height: Int) {
        self.participant = participant
        self.width = width.clamped(to: Self.sides)
        self.height = height.clamped(to: Self.sides)
    }

    /// As a request carries it: `PARTICIPANT=WIDTHxHEIGHT`.
    package var text: String { "\(participant)=\(width)x\(height)" }

    /// Reads `text`; `nil`: it is none, or out of range.
    package init?(parsing text: String) {
        guard let mark = text.lastIndex(of: "=") else { return nil }
        let numbers = text[text.index(after: mark)...].split(separator: "x", omittingEmptySubsequences: false)
        guard numbers.count == 2, let width = Int(numbers[0]), let height = Int(numbers[1]),
            Self.sides.contains(width), Self.sides.contains(height), mark > text.startIndex
        else { return nil }
        self.init(participant: String(text[..<mark]), width: width, height: height)
    }
}
