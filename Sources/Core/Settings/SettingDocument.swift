import ControlProtocol

/// A setting as the documents tell of it.
package struct SettingDocument: Hashable, Sendable {
    /// `group.key`.
    package let name: String
    /// What it can be, in words.
    package let values: String
    /// What it is when nothing is written; `nil`: nothing.
    package let fallback: String?
    package let summary: String

    /// Every setting, in the order of the documents.
    package static let all = Setting.all.map { setting in
        SettingDocument(
            name: setting.name, values: values(of: setting), fallback: fallback(of: setting), summary: setting.summary)
    }

    private static func values(of setting: Setting) -> String {
        switch setting.kind {
        case .string, .text: "text"
        case .strings: "list, with commas"
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .choice(let words): words.joined(separator: ", ")
        case .boolean, .toggle, .scalar: "true, false"
        }
    }

    private static func fallback(of setting: Setting) -> String? {
        switch setting.fallback {
        case .string(""), .array([]): nil
        case .string(let text): text
        case let other: other.text
        }
    }
}
