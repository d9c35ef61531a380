import Primitives
import Testing

@testable import Core

@Suite struct GuestLinkTests {
    /// From five seconds of packets on, what the link loses is near its setting.
    @Test(arguments: 0..<3) func theLossIsNearItsSettingSoon(guest: Int) {
        let link = GuestLink.link(of: guest)
        var line = link.makeLink()
        for count in 1...1500 {
            line.enqueue([0], at: .zero)
            guard count >= 250 else { continue }
            let loss = Double(line.lostCount) / Double(count) * 100
            #expect(abs(loss - link.lossPercent) < 1.2, "\(loss) % after \(count)")
        }
    }
}
