import Reactor
import Signaling
import Transport

/// The address that others reach this machine by, or a name for it.
struct PublicAddress: Hashable {
    /// IPv6 without brackets.
    let text: String
    let isName: Bool

    /// `nil` where the text is neither, or an address that nothing is reached by.
    init?(_ text: String) {
        guard let host = try? LinkHost(text), !["0.0.0.0", "::"].contains(host.text) else { return nil }
        self.text = host.text
        isName = !host.isAddress
    }

    /// Whether it leads anywhere, as far as this machine can tell.
    @EngineActor
    func isKnown() async -> Bool {
        await !HostLookup.addresses(of: text, within: .seconds(5)).isEmpty
    }
}
