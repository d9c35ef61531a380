import Foundation

/// A part of a document that is made from code: it stands between the lines `<!-- name -->` and `<!-- /name -->`.
package struct GeneratedSection {
    /// Why a section cannot be read.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    private let file: URL
    private let before: Substring
    private let after: Substring
    /// What stands there now, without the newline before the end marker.
    package let text: String

    /// - Parameter document: relative to the root of the tree, as in `README.md`.
    package init(_ name: String, of document: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        file = root.appendingPathComponent(document)
        let whole = try String(contentsOf: file, encoding: .utf8)
        guard let begin = whole.range(of: "<!-- \(name) -->\n"),
            let end = whole.range(of: "\n<!-- /\(name) -->", range: begin.upperBound..<whole.endIndex)
        else { throw Failure(description: "\(document) has no section “\(name)”") }
        before = whole[..<begin.upperBound]
        after = whole[end.lowerBound...]
        text = String(whole[begin.upperBound..<end.lowerBound])
    }

    /// Whether the section says `wanted`. With `RECORD=1` in the environment it is made to.
    package func isOrBecomes(_ wanted: String) throws -> Bool {
        guard text != wanted, ProcessInfo.processInfo.environment["RECORD"] != nil else { return text == wanted }
        try (before + wanted + after).write(to: file, atomically: true, encoding: .utf8)
        return true
    }
}
