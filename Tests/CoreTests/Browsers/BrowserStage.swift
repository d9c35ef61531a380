import ControlProtocol
import Foundation
import Primitives
import TestSupport
import Testing

/// The browsers that guests come with.
enum BrowserKind: String, CaseIterable, CustomTestStringConvertible {
    case chromium
    case firefox

    var testDescription: String {
        rawValue
    }
}

/// One Chromium and one Firefox on one private sound server and one private network, with a tone in each microphone.
///
/// It is built once for all browser tests, which come one after the other.
final class BrowserStage: @unchecked Sendable {
    static let names = ["core", "guest", "other"]
    /// The tone in each one's microphone.
    static let tones = ["core": 440.0, "guest": 620.0, "other": 890.0]

    @TaskLocal static var current: BrowserStage?

    let network: NetworkNamespace
    let pulse: PrivatePulse
    private let chromium: Chromium
    private let firefox: Firefox
    private let players: [PulsePlayer]

    init() throws {
        network = try NetworkNamespace()
        let pulse = try PrivatePulse(sinks: [])
        for name in Self.names.flatMap({ ["\($0)_mic", "\($0)_spk"] }) {
            _ = try pulse.loadSink(name, "device.description=\(name)")
        }
        self.pulse = pulse
        players = try Self.tones.map { name, hz in
            _ = try pulse.loadMicrophone("\(name)_microphone", of: "\(name)_mic")
            let tone = ToneMeter.tone(frequencyHz: hz, amplitude: 0.25, seconds: 400)
            return try PulsePlayer(pulse, sink: "\(name)_mic", samples: tone)
        }
        chromium = try Chromium(network: network, pulse: pulse)
        firefox = try Firefox(network: network, pulse: pulse)
    }

    /// A new profile's first page.
    func page(_ kind: BrowserKind) throws -> any BrowserPage {
        switch kind {
        case .chromium: try chromium.newPage()
        case .firefox: try firefox.newPage()
        }
    }

    /// - Parameter settings: lines of `hoot.conf` beside the devices, by group.
    func core(_ name: String = "core", settings: [String: [String]] = [:]) throws -> SoundingCore {
        try SoundingCore(name, pulse: pulse, settings: settings, network: network)
    }

    /// An ear at the speaker of `name`.
    func ear(_ name: String) throws -> Ear {
        try Ear(pulse, at: name, tones: Self.tones)
    }
}

/// Builds the stage before a suite's first test, and takes it down after its last.
struct BrowserStageTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await BrowserStage.$current.withValue(try BrowserStage()) { try await function() }
    }
}

extension Trait where Self == BrowserStageTrait {
    static var onBrowserStage: Self { Self() }
}

/// Everything that needs a browser.
@Suite(.serialized, .onBrowserStage) struct BrowserTests {}

/// A core that hosts a room, and a browser that may join it.
final class GuestScene {
    static let room = "room"

    let stage: BrowserStage
    let core: SoundingCore
    let page: any BrowserPage
    let link: String

    /// - Parameters:
    ///   - hosting: parameters of `room.host` beside the usual ones.
    ///   - settings: of the core, as lines of `hoot.conf` by group.
    init(_ kind: BrowserKind, hosting: [String: JSONValue] = [:], settings: [String: [String]] = [:]) throws {
        stage = try #require(BrowserStage.current)
        core = try stage.core(settings: settings)
        link = try core.host(Self.room, with: hosting)
        page = try stage.page(kind)
    }

    deinit {
        try? page.close()
    }

    /// Opens the page, up to its door.
    func open() throws {
        try page.open(link)
        guard try page.waits(for: "!document.getElementById(\"door\").hidden") else {
            throw BrowserFailure(description: "no door: \(try page.text("farewell-text"))")
        }
    }

    /// Lets the browser in and waits until it is connected.
    func join() throws {
        try open()
        try enter()
    }

    /// Lets the browser in by the door that is open, and waits until it is connected.
    func enter() throws {
        try page.enter(as: "guest")
        guard try core.waitForPeople(1) else {
            throw BrowserFailure(description: "not connected: \(try page.text("people")); \(try page.text("notices"))")
        }
    }

    func ear(_ name: String) throws -> Ear {
        try stage.ear(name)
    }
}
