import ControlProtocol
import Primitives
import TestSupport
import Testing

/// Browsers name their addresses to nobody but pages that may use a microphone; the others get names below `.local`.
@Suite(.serialized) struct HiddenAddressTests {
    /// A core that hosts a room, and a guest whose browser hides its address.
    private final class Scene {
        let core: SoundingCore
        let page: any BrowserPage
        private let network: NetworkNamespace
        private let pulse: PrivatePulse

        init(_ kind: BrowserKind, hasAvahi: Bool) throws {
            network = try NetworkNamespace(multicastNames: hasAvahi)
            pulse = try PrivatePulse(sinks: [])
            core = try SoundingCore("core", pulse: nil, network: network)
            let link = try core.host("room", address: "10.98.0.1")
            page =
                switch kind {
                case .chromium: try Chromium(network: network, pulse: pulse, hidesAddresses: true).newPage()
                case .firefox: try Firefox(network: network, pulse: pulse, hidesAddresses: true).newPage()
                }
            try page.prepare(Self.asksForNothing)
            if hasAvahi { try page.prepare(Self.hearsOfNoCandidate) }
            try page.open(link)
            try #require(try page.waits(for: "!document.getElementById(\"door\").hidden"))
            try page.fill("name", "guest")
            try page.evaluate("document.querySelector(\"#join button\").click()")
            guard try page.waits(for: "!document.getElementById(\"call\").hidden") else {
                throw BrowserFailure(
                    description:
                        "not in the call: \(try page.text("farewell-text"))")
            }
        }

        /// The addresses that the browser names.
        func addresses() throws -> JSONValue {
            try page.evaluate(
                "[...probe.connection.localDescription.sdp.matchAll(/a=candidate:\\S+ 1 udp \\d+ (\\S+)/gi)]"
                    + ".map((match) => match[1].replace(/.*(?=[.]local$)/, \"name\"))")
        }

        func description() throws -> String {
            try page.evaluate("probe.connection.localDescription.sdp").text
        }

        private static let asksForNothing = """
            navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", "NotAllowedError"); };
            """

        /// Such a browser cannot begin, so that its name is the only way to it.
        private static let hearsOfNoCandidate = """
            {
              RTCPeerConnection.prototype.addIceCandidate = async () => {};
              const set = RTCPeerConnection.prototype.setRemoteDescription;
              RTCPeerConnection.prototype.setRemoteDescription = function ({ type, sdp }) {
                return set.call(this, { type, sdp: sdp.replace(/^a=candidate.*\\r\\n/gm, "") });
              };
            }
            """
    }

    @Test(arguments: BrowserKind.allCases) func aBrowserIsFoundByItsNameAlone(_ kind: BrowserKind) throws {
        let scene = try Scene(kind, hasAvahi: true)
        #expect(try scene.core.waitForPeople(1, within: .seconds(20)))
        let (addresses, description) = (try scene.addresses(), try scene.description())
        #expect(addresses == .array([.string("name.local")]), "\(description)")
        #expect(scene.core.people.first?.path == "host → host udp")
    }

    /// The browser finds this side, and so shows where it is.
    @Test(arguments: BrowserKind.allCases) func whereItsNameMeansNothingTheCallIsMadeAllTheSame(_ kind: BrowserKind)
        throws
    {
        let scene = try Scene(kind, hasAvahi: false)
        #expect(try scene.core.waitForPeople(1, within: .seconds(20)))
        let (addresses, description) = (try scene.addresses(), try scene.description())
        #expect(addresses == .array([.string("name.local")]), "\(description)")
        #expect(scene.core.people.first?.path == "host → prflx udp")
    }
}
