import ControlProtocol
import Foundation
import Glibc
import Primitives
import TestSupport

/// A headless Firefox of a test's own, driven by WebDriver BiDi. It ends with this object, also when the test crashes.
final class Firefox {
    private static let port = 9222

    private let process: ChildConversation
    private let directory: TemporaryDirectory
    private let channel: CommandChannel

    /// - Parameters:
    ///   - network: where its sockets live.
    ///   - pulse: its microphones and speakers.
    ///   - hidesAddresses: whether it names its addresses only to pages that may use a microphone.
    init(network: NetworkNamespace, pulse: PrivatePulse, hidesAddresses: Bool = false) throws {
        directory = try TemporaryDirectory("hoot-firefox")
        var wished = Self.preferences
        wished["media.peerconnection.ice.obfuscate_host_addresses"] = "\(hidesAddresses)"
        let preferences = wished.map { "user_pref(\"\($0.key)\", \($0.value));\n" }.sorted().joined()
        try preferences.write(toFile: directory.path + "/user.js", atomically: true, encoding: .utf8)
        var environment = pulse.environment
        environment["HOME"] = directory.path
        environment["TMPDIR"] = directory.path
        environment["MOZ_HEADLESS"] = "1"
        let words = [
            "firefox-esr", "--headless", "--no-remote", "--profile", directory.path, "--remote-debugging-port",
            "\(Self.port)", "about:blank",
        ]
        // `cat` ends with this process, the shell with it, and Firefox with the shell.
        process = try ChildConversation(
            network.prefix + ["sh", "-c", "setpriv --pdeathsig KILL \"$@\" </dev/null >/dev/null 2>&1 & cat", "sh"]
                + words,
            environment: environment)
        let socket = try WebSocketConversation(
            port: Self.port, path: "/session", network: network, by: .now() + .seconds(40))
        channel = CommandChannel(
            send: { try socket.send($0.text) },
            receive: { try socket.receive(by: $0).map { JSONValue(parsing: $0) ?? .null } })
        try command(
            "session.new", ["capabilities": .object(["alwaysMatch": .object(["acceptInsecureCerts": .bool(true)])])])
    }

    /// A page in a new profile.
    func newPage() throws -> any BrowserPage {
        let user = try command("browser.createUserContext")["userContext"] ?? .null
        let made = try command("browsingContext.create", ["type": .string("tab"), "userContext": user])
        let page = FirefoxPage(self, user: user, context: made["context"] ?? .null)
        try page.prepare(PageProbe.script)
        return page
    }

    @discardableResult
    func command(
        _ method: String, _ parameters: [String: JSONValue] = [:], within limit: Duration = .seconds(30)
    ) throws -> JSONValue {
        try channel.command(method, parameters, within: limit)
    }

    /// No processing, no prompts, nothing asked of other hosts, sound by the private server, candidates of loopback.
    private static let preferences = [
        "media.peerconnection.ice.loopback": "true",
        "media.navigator.permission.disabled": "true",
        "media.navigator.streams.fake": "false",
        "media.cubeb.backend": "\"pulse-rust\"",
        "media.cubeb.sandbox": "false",
        "media.setsinkid.enabled": "true",
        "media.autoplay.default": "0",
        "media.autoplay.blocking_policy": "0",
        "media.gmp-manager.updateEnabled": "false",
        "app.update.enabled": "false",
        "browser.shell.checkDefaultBrowser": "false",
        "datareporting.policy.dataSubmissionEnabled": "false",
        "toolkit.telemetry.enabled": "false",
        "network.captive-portal-service.enabled": "false",
        "network.connectivity-service.enabled": "false",
        "services.settings.server": "\"http://127.0.0.1:9/\"",
        "remote.active-protocols": "1",
        "security.sandbox.content.level": "0",
        "dom.min_background_timeout_value": "4",
    ]
}

private final class FirefoxPage: BrowserPage {
    private let browser: Firefox
    private let user: JSONValue
    private let context: JSONValue

    init(_ browser: Firefox, user: JSONValue, context: JSONValue) {
        self.browser = browser
        self.user = user
        self.context = context
    }

    func navigate(to address: String) throws {
        try browser.command(
            "browsingContext.navigate", ["context": context, "url": .string(address), "wait": .string("complete")])
    }

    /// Its protocol emulates no media features; `light-dark()` follows the document's own scheme all the same.
    func prefer(_ scheme: ColorScheme) throws {
        try evaluate("document.documentElement.style.colorScheme = \"\(scheme.rawValue)\"")
    }

    func close() throws {
        try browser.command("browser.removeUserContext", ["userContext": user])
    }

    func resize(width: Int, height: Int) throws {
        try browser.command(
            "browsingContext.setViewport",
            [
                "context": context,
                "viewport": .object(["width": .integer(width), "height": .integer(height)]),
            ])
    }

    func evaluate(_ expression: String, within limit: Duration) throws -> JSONValue {
        let answer = try browser.command(
            "script.evaluate",
            [
                "expression": .string("(async () => JSON.stringify(await (\(expression))))()"),
                "target": .object(["context": context]), "awaitPromise": .bool(true), "userActivation": .bool(true),
            ], within: limit)
        if let exception = answer["exceptionDetails"] {
            throw BrowserFailure(description: "\(expression.prefix(200)): \(exception["text"]?.text ?? "")")
        }
        return (answer["result"]?["value"]?.stringValue).flatMap { JSONValue(parsing: $0.utf8) } ?? .null
    }

    func prepare(_ script: String) throws {
        try browser.command(
            "script.addPreloadScript",
            ["functionDeclaration": .string("() => {\(script)}"), "contexts": .array([context])])
    }
}
