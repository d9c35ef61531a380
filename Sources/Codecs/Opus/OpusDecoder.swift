import COpus
import MediaEngine

/// libopus's decoder at 48 kHz mono, one instance for each stream that is received.
package final class OpusDecoder: AudioDecoder {
    private let decoder: OpaquePointer

    /// - Throws: `CodecError` when memory lacks.
    package init() throws {
        var status: Int32 = 0
        guard let decoder = opus_decoder_create(Int32(AudioFormat.rateHz), 1, &status), status == OPUS_OK else {
            throw CodecError(function: "opus_decoder_create", reason: String(cString: opus_strerror(status)))
        }
        self.decoder = decoder
    }

    deinit {
        opus_decoder_destroy(decoder)
    }

    package func sampleCount(of payload: UnsafeRawBufferPointer) -> Int {
        guard let bytes = payload.baseAddress?.assumingMemoryBound(to: UInt8.self), !payload.isEmpty else { return 0 }
        let count = opus_packet_get_nb_samples(bytes, Int32(payload.count), Int32(AudioFormat.rateHz))
        return max(0, Int(count))
    }

    package func decode(_ payload: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        // libopus takes an empty packet for a lost one; here it is malformed.
        guard !payload.isEmpty else { return 0 }
        return run(payload, into: samples, usesRedundancy: false)
    }

    /// The redundant copy of a packet is in its first SILK frame: a packet of the CELT layer alone carries none
    /// (RFC 6716, sections 3.1 and 4.2.4).
    package func hasRedundancy(_ payload: UnsafeRawBufferPointer) -> Bool {
        guard let header = silkHeader(of: payload) else { return false }
        let contents = payload[0]
        // SILK frames in an Opus frame: one voice activity bit each, then the flag of the redundancy.
        let configuration = Int(contents >> 3)
        let silkFrames = UInt8(configuration >= 12 ? 1 : max(1, configuration & 3))
        let middle = header & (0x80 >> silkFrames) != 0
        let isStereo = contents & 0x04 != 0
        return middle || isStereo && header & (0x80 >> (2 &* silkFrames &+ 1)) != 0
    }

    /// The first SILK frame begins with whether it is active (RFC 6716, section 4.2.3).
    package func isSilent(_ payload: UnsafeRawBufferPointer) -> Bool {
        silkHeader(of: payload).map { $0 & 0x80 == 0 } ?? false
    }

    package func decodeRedundancy(
        in payload: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>
    ) -> Int {
        guard hasRedundancy(payload) else { return 0 }
        return run(payload, into: samples, usesRedundancy: true)
    }

    package func conceal(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        run(.init(start: nil, count: 0), into: samples, usesRedundancy: false)
    }

    package func reset() {
        _ = copus_decoder_reset(decoder)
    }

    private func run(
        _ payload: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>, usesRedundancy: Bool
    ) -> Int {
        guard let output = samples.baseAddress else { return 0 }
        let bytes = payload.isEmpty ? nil : payload.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = opus_decode_float(
            decoder, bytes, Int32(payload.count), output, Int32(samples.count), usesRedundancy ? 1 : 0)
        return max(0, Int(count))
    }

    /// The flags that a packet with a SILK layer begins with.
    private func silkHeader(of payload: UnsafeRawBufferPointer) -> UInt8? {
        guard !payload.isEmpty, payload[0] & 0x80 == 0 else { return nil }
        return firstByte(ofFirstFrameOf: payload)
    }

    /// The beginning of the packet's first compressed frame, for the four ways of packing (RFC 6716, section 3.2).
    private func firstByte(ofFirstFrameOf payload: UnsafeRawBufferPointer) -> UInt8? {
        guard let bytes = payload.baseAddress?.assumingMemoryBound(to: UInt8.self), !payload.isEmpty else { return nil }
        return withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: 48) { frames in
            withUnsafeTemporaryAllocation(of: opus_int16.self, capacity: 48) { sizes in
                guard
                    let starts = frames.baseAddress,
                    let lengths = sizes.baseAddress,
                    opus_packet_parse(bytes, Int32(payload.count), nil, starts, lengths, nil) > 0,
                    let first = starts[0],
                    lengths[0] > 0
                else { return nil }
                return first.pointee
            }
        }
    }
}
