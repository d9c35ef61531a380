package import Primitives

/// When the packets of a transport arrived (draft-holmer-rmcat-transport-wide-cc-extensions-01, section 3.1).
package struct TransportFeedback: Hashable, Sendable {
    static let format: UInt8 = 15
    /// The unit of `Arrival.delta`.
    package static let deltaUnit = Duration.microseconds(250)
    /// The unit of `referenceTime`, in units of `Arrival.delta`.
    package static let referenceUnit = 256
    /// The most packets that one report tells of.
    package static let maximumPacketCount = 0xFFFF

    /// One packet that arrived.
    package struct Arrival: Hashable, Sendable, BitwiseCopyable {
        /// Its number, counted from `base`.
        package var offset: UInt16
        /// The time since the arrival before, of the first one since `referenceTime`. Negative when it overtook.
        package var delta: Int16

        package init(offset: UInt16, delta: Int16) {
            self.offset = offset
            self.delta = delta
        }
    }

    package var sender: SSRC
    /// Any stream of the transport; nobody reads it.
    package var media: SSRC
    /// The number of the first packet that is told of.
    package var base: SequenceNumber
    /// How many packets are told of: those without an arrival had not arrived.
    package var packetCount: Int
    /// On the receiver's clock, −2²³…2²³−1; wraps.
    package var referenceTime: Int32
    /// Counts the reports; wraps.
    package var number: UInt8
    /// Of rising offset, each below `packetCount`.
    package var arrivals: [Arrival]

    package init(
        sender: SSRC, media: SSRC, base: SequenceNumber, packetCount: Int, referenceTime: Int32, number: UInt8,
        arrivals: [Arrival]
    ) {
        self.sender = sender
        self.media = media
        self.base = base
        self.packetCount = packetCount.clamped(to: 0...Self.maximumPacketCount)
        self.referenceTime = (referenceTime << 8) >> 8
        self.number = number
        self.arrivals = arrivals
    }
}

extension TransportFeedback {
    /// What a status symbol says of a packet. The fourth one is reserved and tells of no arrival.
    private enum Symbol {
        static let missing = 0
        static let small = 1
        static let large = 2
    }

    init(_ body: RawSpan) throws(ByteError) {
        var offset = 0
        sender = SSRC(try body.readUInt32(at: &offset))
        media = SSRC(try body.readUInt32(at: &offset))
        base = SequenceNumber(try body.readUInt16(at: &offset))
        packetCount = Int(try body.readUInt16(at: &offset))
        referenceTime = (Int32(bitPattern: try body.readUInt24(at: &offset)) << 8) >> 8
        number = try body.readUInt8(at: &offset)
        arrivals = []
        var place = 0
        while place < packetCount {
            try readChunk(try body.readUInt16(at: &offset), at: &place)
        }
        for index in arrivals.indices {
            arrivals[index].delta =
                arrivals[index].delta == Symbol.small
                ? Int16(try body.readUInt8(at: &offset)) : Int16(bitPattern: try body.readUInt16(at: &offset))
        }
    }

    /// Unfolds one chunk. What arrived has its symbol in the place of its delta until the deltas are read.
    private mutating func readChunk(_ chunk: UInt16, at place: inout Int) throws(ByteError) {
        guard chunk & 0x8000 != 0 else {
            let end = min(place + Int(chunk & 0x1FFF), packetCount)
            guard end > place else { throw .truncated(need: 1, have: 0) }
            note(chunk >> 13 & 3, until: end, at: &place)
            return
        }
        let bits: UInt16 = chunk & 0x4000 == 0 ? 1 : 2
        var shift = 14 - bits
        while place < packetCount {
            note(chunk >> shift & (bits == 1 ? 1 : 3), until: place + 1, at: &place)
            guard shift >= bits else { return }
            shift -= bits
        }
    }

    private mutating func note(_ symbol: UInt16, until end: Int, at place: inout Int) {
        if symbol == Symbol.small || symbol == Symbol.large {
            for offset in place..<end {
                arrivals.append(Arrival(offset: UInt16(offset), delta: Int16(symbol)))
            }
        }
        place = end
    }

    func write(into writer: inout ByteWriter) {
        writer.write(sender.rawValue)
        writer.write(media.rawValue)
        writer.write(base.rawValue)
        writer.write(UInt16(truncatingIfNeeded: packetCount))
        writer.write24(UInt32(bitPattern: referenceTime))
        writer.write(number)
        var symbols = [UInt8](repeating: UInt8(Symbol.missing), count: packetCount)
        for arrival in arrivals where Int(arrival.offset) < packetCount {
            symbols[Int(arrival.offset)] = UInt8((0...255).contains(arrival.delta) ? Symbol.small : Symbol.large)
        }
        var rest = symbols[...]
        while !rest.isEmpty {
            writer.write(Self.makeChunk(of: &rest))
        }
        for arrival in arrivals where Int(arrival.offset) < packetCount {
            if (0...255).contains(arrival.delta) {
                writer.write(UInt8(arrival.delta))
            } else {
                writer.write(UInt16(bitPattern: arrival.delta))
            }
        }
    }

    /// Takes from the front of `symbols` what the next chunk tells: a run when it is no shorter than a vector would be.
    private static func makeChunk(of symbols: inout ArraySlice<UInt8>) -> UInt16 {
        let first = symbols[symbols.startIndex]
        let run = min(symbols.prefix { $0 == first }.count, 0x1FFF)
        let oneBit = symbols.prefix(14)
        let bits = oneBit.contains(UInt8(Symbol.large)) ? 2 : 1
        let vector = symbols.prefix(14 / bits)
        if run >= vector.count {
            symbols = symbols.dropFirst(run)
            return UInt16(first) << 13 | UInt16(run)
        }
        symbols = symbols.dropFirst(vector.count)
        var chunk: UInt16 = bits == 1 ? 0x8000 : 0xC000
        for (index, symbol) in vector.enumerated() {
            chunk |= UInt16(symbol) << UInt16(14 - bits * (index + 1))
        }
        return chunk
    }
}
