/// A setting of `hoot.conf`: what it is, what it can be, and what it is for.
package struct SettingState: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
        case text
        /// Texts with commas between.
        case list
        case number
        case choice
        case boolean
    }

    /// `group.key`.
    package var name: String
    package var kind: Kind
    /// The value in force, and the one when nothing is written; secrets are hidden.
    package var value: JSONValue
    package var fallback: JSONValue
    /// The range of a number.
    package var least: Int?
    package var most: Int?
    /// What can be chosen.
    package var choices: [String]?
    /// Whether the value is shown to nobody; absent: it is.
    package var isSecret: Bool?
    /// One line.
    package var summary: String

    package init(name: String, kind: Kind, value: JSONValue, fallback: JSONValue, summary: String) {
        self.name = name
        self.kind = kind
        self.value = value
        self.fallback = fallback
        self.summary = summary
    }

    /// What the value can be, in words.
    package var values: String {
        switch kind {
        case .text: "text"
        case .list: "list, with commas"
        case .number: "\(least ?? 0) to \(most ?? Int.max)"
        case .choice: (choices ?? []).joined(separator: ", ")
        case .boolean: "true, false"
        }
    }

    /// A value as one types it; empty: none.
    package static func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .array(let items): items.compactMap(\.stringValue).joined(separator: ",")
        default: value.text
        }
    }
}
