import ControlProtocol
import Primitives
import TestSupport
import Testing

/// A browser as a guest of a core: what is heard, both ways.
@Suite(.serialized) struct GuestCallTests {
    @Test func aToneGoesBothWays() throws {
        let stage = try BrowserStage()
        let page = try stage.chromium.newPage()
        let link = try stage.core.host("room")
        try page.join(link, as: "guest", microphone: "guest_microphone", speaker: "guest_spk")
        try #require(try stage.core.waitForPeople(1))
        #expect(stage.guestEar.hears(BrowserStage.coreHz))
        #expect(stage.coreEar.hears(BrowserStage.guestHz))
        try stage.chromium.close()
    }
}
