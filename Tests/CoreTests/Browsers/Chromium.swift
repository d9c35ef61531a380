import ControlProtocol
import Foundation
import Glibc
import Primitives
import TestSupport

/// A headless Chromium of a test's own, driven by its debugging protocol over two pipes. It ends with the pipes.
final class Chromium {
    private let directory: TemporaryDirectory
    private let conversation: ChildConversation
    private let channel: CommandChannel

    /// - Parameters:
    ///   - network: where its sockets live.
    ///   - pulse: its microphones and speakers.
    ///   - hidesAddresses: whether it names its addresses only to pages that may use a microphone.
    init(network: NetworkNamespace, pulse: PrivatePulse, hidesAddresses: Bool = false) throws {
        directory = try TemporaryDirectory("hoot-chromium")
        // Who may use a microphone without being asked is told of addresses, too.
        let exposure = hidesAddresses ? "" : "WebRtcHideLocalIpsWithMdns,"
        let words =
            [
                "chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--no-proxy-server", "--user-data-dir=\(directory.path)/profile", "--remote-debugging-pipe",
                "--allow-loopback-in-peer-connection",
                "--disable-features=\(exposure)MediaRouter,OptimizationHints",
                "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
                "--disable-backgrounding-occluded-windows",
            ] + (hidesAddresses ? [] : ["--use-fake-ui-for-media-stream"]) + ["about:blank"]
        var environment = pulse.environment
        environment["HOME"] = directory.path
        environment["TMPDIR"] = directory.path
        let log = Glibc.open(directory.path + "/log", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { Glibc.close(log) }
        // The protocol has descriptors 3 and 4.
        conversation = try ChildConversation(
            network.prefix + ["sh", "-c", "exec \"$@\" 3<&0 4>&1 </dev/null >&2", "sh"] + words,
            environment: environment, log: log)
        channel = CommandChannel(
            send: { [conversation] in try conversation.send(Array($0.text.utf8) + [0]) },
            receive: { [conversation] in
                try conversation.take(until: [0], by: $0).map { JSONValue(parsing: $0) ?? .null }
            })
    }

    deinit {
        conversation.child.kill()
    }

    /// A page in a new profile.
    func newPage() throws -> any BrowserPage {
        let context = try command("Target.createBrowserContext")["browserContextId"] ?? .null
        let target =
            try command(
                "Target.createTarget", ["url": .string("about:blank"), "browserContextId": context])["targetId"]
            ?? .null
        let session = try command("Target.attachToTarget", ["targetId": target, "flatten": .bool(true)])["sessionId"]
        let page = ChromiumPage(self, session: session?.stringValue ?? "", context: context)
        try page.acceptAnyCertificate()
        try page.prepare(PageProbe.script)
        return page
    }

    @discardableResult
    func command(
        _ method: String, _ parameters: [String: JSONValue] = [:], session: String? = nil,
        within limit: Duration = .seconds(30)
    ) throws -> JSONValue {
        do {
            return try channel.command(
                method, parameters, members: session.map { ["sessionId": .string($0)] } ?? [:], within: limit)
        } catch let failure as BrowserFailure {
            let log = (try? String(contentsOfFile: directory.path + "/log", encoding: .utf8)) ?? ""
            throw BrowserFailure(description: "\(failure.description); \(log.suffix(2000))")
        }
    }
}

private final class ChromiumPage: BrowserPage {
    private let browser: Chromium
    private let session: String
    private let context: JSONValue

    init(_ browser: Chromium, session: String, context: JSONValue) {
        self.browser = browser
        self.session = session
        self.context = context
    }

    func close() throws {
        try browser.command("Target.disposeBrowserContext", ["browserContextId": context])
    }

    func acceptAnyCertificate() throws {
        try command("Security.setIgnoreCertificateErrors", ["ignore": .bool(true)])
    }

    func navigate(to address: String) throws {
        let answer = try command("Page.navigate", ["url": .string(address)])
        if let error = answer["errorText"]?.stringValue { throw BrowserFailure(description: "\(address): \(error)") }
    }

    func prefer(_ scheme: ColorScheme) throws {
        let feature: JSONValue = .object(["name": "prefers-color-scheme", "value": .string(scheme.rawValue)])
        try command("Emulation.setEmulatedMedia", ["features": .array([feature])])
    }

    func resize(width: Int, height: Int) throws {
        try command(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(width), "height": .integer(height), "deviceScaleFactor": .integer(1),
                "mobile": .bool(false),
            ])
    }

    func evaluate(_ expression: String, within limit: Duration) throws -> JSONValue {
        let answer = try command(
            "Runtime.evaluate",
            [
                "expression": .string("(async () => (\(expression)))()"), "awaitPromise": .bool(true),
                "returnByValue": .bool(true), "userGesture": .bool(true),
            ], within: limit)
        if let exception = answer["exceptionDetails"] {
            let text = exception["exception"]?["description"]?.stringValue ?? exception.text
            throw BrowserFailure(description: "\(expression.prefix(200)): \(text)")
        }
        return answer["result"]?["value"] ?? .null
    }

    func prepare(_ script: String) throws {
        try command("Page.enable")
        try command("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    @discardableResult
    private func command(
        _ method: String, _ parameters: [String: JSONValue] = [:], within limit: Duration = .seconds(30)
    ) throws -> JSONValue {
        try browser.command(method, parameters, session: session, within: limit)
    }
}
