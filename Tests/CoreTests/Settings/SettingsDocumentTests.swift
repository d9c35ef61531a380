import Core
import TestSupport
import Testing

/// The README's table of settings is the table that the core reads `hoot.conf` by.
@Suite struct SettingsDocumentTests {
    @Test func theReadmesSettingsAreThoseOfTheTable() throws {
        let rows = SettingDocument.all.map { setting in
            let fallback = setting.fallback.map { "`\($0)`" } ?? "–"
            return "| `\(setting.name)` | \(setting.values) | \(fallback) | \(setting.summary) |"
        }
        let table = (["| setting | values | without it | meaning |", "| --- | --- | --- | --- |"] + rows)
            .joined(separator: "\n")
        let section = try GeneratedSection("settings", of: "README.md")
        #expect(try section.isOrBecomes(table), "RECORD=1 swift test writes it anew")
    }
}
