import Codecs
import Testing

/// Against tables 1a…2b of ITU-T G.711 (11/1988), scaled to 16 bits (µ-law by 4, A-law by 8).
@Suite struct CompandingLawTests {
    @Test(
        arguments: zip(
            [0x80, 0x8F, 0x9F, 0xAF, 0xBF, 0xCF, 0xDF, 0xEF, 0xFE, 0xFF] as [UInt8],
            [8031, 4191, 2079, 1023, 495, 231, 99, 33, 2, 0]))
    func muLawExpandsAsTable2(code: UInt8, value: Int) {
        #expect(CompandingLaw.mu.expand(code) == Int16(value * 4))
        #expect(CompandingLaw.mu.expand(code ^ 0x80) == Int16(-value * 4))
    }

    @Test(
        arguments: zip(
            [0xD5, 0xC5, 0xF5, 0xE5, 0x95, 0x85, 0xB5, 0xA5, 0xAA] as [UInt8],
            [1, 33, 66, 132, 264, 528, 1056, 2112, 4032]))
    func aLawExpandsAsTable1(code: UInt8, value: Int) {
        #expect(CompandingLaw.a.expand(code) == Int16(value * 8))
        #expect(CompandingLaw.a.expand(code ^ 0x80) == Int16(-value * 8))
    }

    /// Decision values x(n) of table 2a: a sample at one belongs to the interval above, one below it to the one below.
    @Test(
        arguments: zip(
            [1, 31, 95, 223, 479, 991, 2015, 4063], [0xFE, 0xEF, 0xDF, 0xCF, 0xBF, 0xAF, 0x9F, 0x8F] as [UInt8]))
    func muLawDecidesAsTable2(decision: Int, above: UInt8) {
        #expect(CompandingLaw.mu.compress(Int16(decision * 4)) == above)
        #expect(CompandingLaw.mu.compress(Int16(decision * 4 - 1)) == above + 1)
    }

    @Test(
        arguments: zip(
            [32, 64, 128, 256, 512, 1024, 2048], [0xC5, 0xF5, 0xE5, 0x95, 0x85, 0xB5, 0xA5] as [UInt8]))
    func aLawDecidesAsTable1(decision: Int, above: UInt8) {
        #expect(CompandingLaw.a.compress(Int16(decision * 8)) == above)
        #expect(CompandingLaw.a.compress(Int16(decision * 8 - 1)) != above)
    }

    @Test(arguments: [CompandingLaw.mu, .a])
    func everyCodeIsTheCodeOfItsValue(law: CompandingLaw) {
        for code in UInt8.min...UInt8.max where law == .a || code != 0x7F {
            #expect(law.compress(law.expand(code)) == code)
        }
    }

    @Test(arguments: [CompandingLaw.mu, .a])
    func extremesSaturate(law: CompandingLaw) {
        #expect(law.expand(law.compress(.max)) > 32_000)
        #expect(law.expand(law.compress(.min)) < -32_000)
    }

    @Test(arguments: [CompandingLaw.mu, .a])
    func errorStaysWithinHalfAStep(law: CompandingLaw) {
        for sample in stride(from: Int16(-32_000), through: 32_000, by: 7) {
            let error = abs(Int(law.expand(law.compress(sample))) - Int(sample))
            #expect(error <= max(abs(Int(sample)) / 24, 8))
        }
    }
}
