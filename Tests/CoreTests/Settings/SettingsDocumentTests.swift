import ControlProtocol
import TestSupport
import Testing

@testable import Core

/// The README's table of settings is the table that the core reads `hoot.conf` by.
@Suite struct SettingsDocumentTests {
    @Test func theReadmesSettingsAreThoseOfTheTable() throws {
        let rows = Setting.all.map { setting in
            "| `\(setting.name)` | \(values(of: setting)) | \(fallback(of: setting)) | \(setting.summary) |"
        }
        let table = (["| setting | values | without it | meaning |", "| --- | --- | --- | --- |"] + rows)
            .joined(separator: "\n")
        let section = try GeneratedSection("settings", of: "README.md")
        #expect(try section.isOrBecomes(table), "RECORD=1 swift test writes it anew")
    }

    private func values(of setting: Setting) -> String {
        switch setting.kind {
        case .string, .text: "text"
        case .strings: "list, with commas"
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .choice(let words): words.joined(separator: ", ")
        case .boolean, .toggle, .scalar: "true, false"
        }
    }

    private func fallback(of setting: Setting) -> String {
        switch setting.fallback {
        case .string(""), .array([]): "–"
        case .string(let text): "`\(text)`"
        case let other: "`\(other.text)`"
        }
    }
}
