internal import Primitives

/// One named parameter of a method.
package struct Parameter: Hashable, Sendable {
    /// What values a parameter takes.
    package enum Kind: Hashable, Sendable {
        /// Of one line.
        case string
        /// With new lines and what else the method takes.
        case text
        case boolean
        /// `true`, `false`, "on", "off" or "toggle".
        case toggle
        case integer(ClosedRange<Int>)
        /// One of these strings.
        case choice([String])
        /// An array of strings; one string stands for an array of one.
        case strings
        /// A string, a number or a boolean.
        case scalar
    }

    package var name: String
    package var kind: Kind
    package var isRequired: Bool
    package var summary: String

    package init(_ name: String, _ kind: Kind, isRequired: Bool = false, _ summary: String) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.summary = summary
    }

    /// What is expected, in words.
    package var expectation: String {
        switch kind {
        case .string, .text: "a string"
        case .boolean: "true or false"
        case .toggle: "on, off or toggle"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let values): "one of " + values.joined(separator: ", ")
        case .strings: "an array of strings"
        case .scalar: "a string, a number, true or false"
        }
    }

    /// Checks `value` and returns it in the form that `Arguments` reads.
    package func check(_ value: JSONValue) throws(RPCError) -> JSONValue {
        guard Self.isBounded(value) else {
            throw .invalidParams(
                "parameter “\(name)” is too long: at most \(Self.longestText) bytes a text, \(Self.mostTexts) texts")
        }
        guard takesControls || !Self.hasControls(value) else {
            throw .invalidParams("parameter “\(name)” has a control character; leave it out")
        }
        guard let accepted = accept(value) else {
            let given = value.stringValue.map(\.quoted) ?? value.integerValue.map(String.init) ?? value.kindName
            throw .invalidParams("parameter “\(name)”: expected \(expectation), got \(given)")
        }
        return accepted
    }

    /// The longest text that any parameter takes, in bytes of UTF-8: that of a path.
    private static let longestText = 4096
    /// The most texts that any parameter takes.
    private static let mostTexts = 64

    private static func isBounded(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.utf8.count <= longestText
        case .array(let items): items.count <= mostTexts && items.allSatisfy(isBounded)
        default: true
        }
    }

    /// A scalar is checked by what it is for.
    private var takesControls: Bool {
        kind == .text || kind == .scalar
    }

    private static func hasControls(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): text.hasControls
        case .array(let items): items.contains(where: hasControls)
        default: false
        }
    }

    private func accept(_ value: JSONValue) -> JSONValue? {
        switch (kind, value) {
        case (.string, .string), (.text, .string), (.boolean, .bool), (.toggle, .bool): value
        case (.toggle, .string(let word)): ["on": .bool(true), "off": .bool(false), "toggle": .string(word)][word]
        case (.integer(let range), _): value.integerValue.flatMap { range.contains($0) ? .integer($0) : nil }
        case (.choice(let words), .string(let word)): words.contains(word) ? value : nil
        case (.strings, .string): .array([value])
        case (.strings, .array(let items)): items.allSatisfy { $0.stringValue != nil } ? value : nil
        case (.scalar, .string), (.scalar, .integer), (.scalar, .number), (.scalar, .bool): value
        default: nil
        }
    }

    /// The value that a word of a command line stands for: `on` → `true` where a toggle is wanted, digits → a number.
    package func parse(_ word: String) -> JSONValue {
        switch kind {
        case .boolean:
            ["true": .bool(true), "false": .bool(false), "on": .bool(true), "off": .bool(false)][word]
                ?? .string(word)
        case .integer: Int(word).map { .integer($0) } ?? .string(word)
        case .strings: .array(word.split(separator: ",").map { .string(String($0.trimmingPrefix(" "))) })
        case .scalar: JSONValue(parsing: word.utf8).flatMap { $0.isScalar ? $0 : nil } ?? .string(word)
        case .string, .text, .toggle, .choice: .string(word)
        }
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .bool, .integer, .number, .string: true
        default: false
        }
    }
}
