import ControlProtocol
import Primitives

/// What went wrong in a browser or on its page.
struct BrowserFailure: Error, CustomStringConvertible {
    var description: String
}

/// One page in a browser profile of its own.
protocol BrowserPage: AnyObject {
    /// Opens an address and waits until it is loaded.
    func open(_ address: String) throws
    /// The value of an expression, awaited if it is a promise.
    func evaluate(_ expression: String, within limit: Duration) throws -> JSONValue
    /// Runs a script before those of each page that is opened from now on.
    func prepare(_ script: String) throws
}

extension BrowserPage {
    @discardableResult
    func evaluate(_ expression: String) throws -> JSONValue {
        try evaluate(expression, within: .seconds(20))
    }

    /// Whether `condition` comes to hold on the page.
    func waits(for condition: String, within limit: Duration = .seconds(10)) throws -> Bool {
        let milliseconds = Int(limit.milliseconds)
        return try evaluate("probe.until(() => \(condition), \(milliseconds))", within: limit + .seconds(5)).boolValue
            ?? false
    }

    /// Writes a value into a field as a person would.
    func fill(_ id: String, _ text: String) throws {
        try evaluate("probe.fill(\(JSONValue.string(id).text), \(JSONValue.string(text).text))")
    }

    /// Chooses the entry of a list whose label begins so; `false` where there is none.
    func choose(_ id: String, _ label: String) throws -> Bool {
        try evaluate("probe.choose(\(JSONValue.string(id).text), \(JSONValue.string(label).text))").boolValue ?? false
    }

    func click(_ id: String) throws {
        try evaluate("document.getElementById(\(JSONValue.string(id).text)).click()")
    }

    /// What is to be read in an element.
    func text(_ id: String) throws -> String {
        try evaluate("document.getElementById(\(JSONValue.string(id).text)).textContent").stringValue ?? ""
    }
}
