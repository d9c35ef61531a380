import Foundation
import Signaling

extension String {
    /// The name of somebody else as it is shown: in quotation marks where it could be taken for “you”, which is the
    /// person here.
    var asName: String {
        readsAsYou ? "“\(self)”" : self
    }

    /// As `asName`, cut so that a sentence has room beside it.
    var asShortName: String {
        (count > Self.shortNameLength ? prefix(Self.shortNameLength - 1) + "…" : self).asName
    }

    private static let shortNameLength = 24

    /// Letters of several scripts for each of “you”.
    private static let lookalikes = ["yуүγ", "o0оοօ", "uυսʋц"]

    /// Whether the first word looks like “you” in any case, width, accents, or letters of another script.
    private var readsAsYou: Bool {
        let letters = decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
            .filter { !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .nonspacingMark }
            .drop(while: \.properties.isWhitespace)
            .prefix { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        return letters.count == 3 && zip(letters, Self.lookalikes).allSatisfy { $1.unicodeScalars.contains($0) }
    }
}

extension RoomMember {
    /// The name in a sentence.
    var shownName: String {
        name.asShortName
    }
}
