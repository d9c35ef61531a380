import ControlProtocol
import Primitives

/// What went wrong in a browser or on its page.
struct BrowserFailure: Error, CustomStringConvertible {
    var description: String
}

/// One page in a browser profile of its own.
protocol BrowserPage: AnyObject {
    /// Begins to load an address.
    func navigate(to address: String) throws
    /// The value of an expression, awaited if it is a promise.
    func evaluate(_ expression: String, within limit: Duration) throws -> JSONValue
    /// Runs a script before those of each page that is opened from now on.
    func prepare(_ script: String) throws
    func resize(width: Int, height: Int) throws
    /// Shows the page that is open as to somebody who prefers these colours.
    func prefer(_ scheme: ColorScheme) throws
    func close() throws
}

/// The values of `prefers-color-scheme`.
enum ColorScheme: String, CaseIterable {
    case light
    case dark
}

extension BrowserPage {
    /// Opens an address and waits until it is loaded.
    func open(_ address: String) throws {
        // The same address with another fragment would only scroll.
        for target in ["about:blank", address] { try navigate(to: target) }
        guard try waits(for: "document.readyState === \"complete\"") else {
            throw BrowserFailure(description: "\(address) does not load")
        }
    }

    @discardableResult
    func evaluate(_ expression: String) throws -> JSONValue {
        try evaluate(expression, within: .seconds(60))
    }

    /// Whether `condition` comes to hold on the page.
    func waits(for condition: String, within limit: Duration = .seconds(60)) throws -> Bool {
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

extension BrowserPage {
    /// Opens a link and joins by it as a person would, with the microphone and the speaker of `name`.
    func join(_ link: String, as name: String) throws {
        try open(link)
        try enter(as: name)
    }

    /// Joins from the page that is open.
    func enter(as name: String) throws {
        try chooseDevices(of: name)
        try fill("name", name)
        try evaluate("document.querySelector(\"#join button\").click()")
        guard try waits(for: "!document.getElementById(\"call\").hidden") else {
            throw BrowserFailure(description: "not in the call: \(try text("farewell-text"))")
        }
    }

    func chooseDevices(of name: String) throws {
        guard try waits(for: "probe.offers(\"microphone\", \"\(name)_microphone\")"),
            try choose("microphone", "\(name)_microphone"), try choose("speaker", "\(name)_spk")
        else {
            throw BrowserFailure(description: "no such devices: \(try text("microphone")); \(try text("speaker"))")
        }
    }
}
