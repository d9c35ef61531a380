import Testing

@testable import Terminal

struct BytePriceTests {
    private func price(_ counts: [Int], cells: Int = 1000, limit: Int = 65536, isCut: Bool = false) -> Double {
        var price = BytePrice()
        for count in counts { price.wrote(count, cells: cells, limit: limit, isCut: isCut) }
        return price.value
    }

    @Test func itRisesWhileFramesAreTooLargeAndFallsAfterwards() {
        let raised = price(Array(repeating: 6000, count: 20))
        #expect(raised > 3 * BytePrice.least)
        #expect(price(Array(repeating: 6000, count: 20) + Array(repeating: 500, count: 60)) == BytePrice.least)
    }

    /// A scene that changes is drawn as well as before.
    @Test func oneLargeFrameChangesLittle() {
        #expect(price([25_000]) <= BytePrice.least * 1.25)
    }

    @Test func aSlowLineRaisesItAsASmallScreenDoes() {
        #expect(price(Array(repeating: 1500, count: 10), limit: 65536) == BytePrice.least)
        #expect(price(Array(repeating: 1500, count: 10), limit: 1000) > BytePrice.least)
        #expect(price(Array(repeating: 1500, count: 10), cells: 300) > BytePrice.least)
        #expect(price(Array(repeating: 1500, count: 10), limit: 1500, isCut: true) > BytePrice.least)
    }

    @Test func whatIsFreeStaysSo() {
        var price = BytePrice.free
        price.wrote(100_000, cells: 10, limit: 10, isCut: true)
        #expect(price.value == 0)
    }
}
