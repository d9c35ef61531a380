/// The two companding laws of ITU-T G.711, on 16-bit linear samples.
package enum CompandingLaw: Sendable {
    /// µ-law: RTP payload type 0, `PCMU`.
    case mu
    /// A-law: RTP payload type 8, `PCMA`.
    case a

    /// The code of `sample`.
    package func compress(_ sample: Int16) -> UInt8 {
        self == .mu ? Self.compressMu(Int(sample)) : Self.compressA(Int(sample))
    }

    /// The sample that `code` stands for.
    package func expand(_ code: UInt8) -> Int16 {
        self == .mu ? Self.expandMu(code) : Self.expandA(code)
    }

    /// Table 2 of G.711: 14 bits, biased by 33 so that every segment starts at a power of two.
    private static func compressMu(_ sample: Int) -> UInt8 {
        let magnitude = min((sample < 0 ? ~sample : sample) >> 2 + 33, 0x1FFF)
        let segment = topBit(of: magnitude) - 5
        let code = UInt8(segment << 4 | (magnitude >> (segment + 1)) & 0x0F)
        return ~(sample < 0 ? code | 0x80 : code)
    }

    private static func expandMu(_ code: UInt8) -> Int16 {
        let bits = Int(~code)
        let magnitude = ((bits & 0x0F) << 1 + 33) << (bits >> 4 & 0x07) - 33
        return Int16(truncatingIfNeeded: (bits & 0x80 == 0 ? magnitude : -magnitude) << 2)
    }

    /// Table 1 of G.711: 13 bits, even bits inverted; the first two segments share a slope.
    private static func compressA(_ sample: Int) -> UInt8 {
        let magnitude = (sample < 0 ? ~sample : sample) >> 4
        let segment = max(topBit(of: magnitude) - 3, 1)
        let code =
            segment == 1 && magnitude < 32
            ? UInt8(magnitude) : UInt8(segment << 4 | (magnitude >> (segment - 1)) & 0x0F)
        return (sample < 0 ? code : code | 0x80) ^ 0x55
    }

    private static func expandA(_ code: UInt8) -> Int16 {
        let bits = Int(code ^ 0x55)
        let segment = bits >> 4 & 0x07
        let step = (bits & 0x0F) << 1 | 1
        let magnitude = segment == 0 ? step : (step + 32) << (segment - 1)
        return Int16(truncatingIfNeeded: (bits & 0x80 == 0 ? -magnitude : magnitude) << 3)
    }

    /// The position of the highest bit set; −1 for 0.
    private static func topBit(of value: Int) -> Int {
        Int.bitWidth - 1 - value.leadingZeroBitCount
    }
}
