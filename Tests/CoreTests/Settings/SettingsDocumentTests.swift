import ControlProtocol
import Core
import TestSupport
import Testing

/// The README's table of settings is the table that the core reads `hoot.conf` by.
@Suite struct SettingsDocumentTests {
    @Test func theReadmesSettingsAreThoseOfTheTable() throws {
        let rows = SettingState.all.map { setting in
            let fallback = SettingState.text(of: setting.fallback)
            let shown = fallback.isEmpty ? "–" : "`\(fallback)`"
            return "| `\(setting.name)` | \(setting.values) | \(shown) | \(setting.summary) |"
        }
        let table = (["| setting | values | without it | meaning |", "| --- | --- | --- | --- |"] + rows)
            .joined(separator: "\n")
        let section = try GeneratedSection("settings", of: "README.md")
        #expect(try section.isOrBecomes(table), "RECORD=1 swift test writes it anew")
    }
}
