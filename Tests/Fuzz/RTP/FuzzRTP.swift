import Primitives
import RTP

/// One run of libFuzzer: any bytes parse as an RTP packet or fail.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let span = UnsafeRawBufferPointer(start: data, count: count).bytes
    _ = DatagramClass(span)
    guard let packet = try? RTPPacket(parsing: span) else { return 0 }
    precondition(packet.payloadRange.upperBound + packet.paddingByteCount == count)
    let elements = packet.extensions?.elements(in: span) ?? []
    let payload = span.extracting(packet.payloadRange)
    _ = packet.audioLevel(id: 1, in: span)
    _ = OpusPayload(parsing: payload)
    _ = TelephoneEvent(parsing: payload)
    _ = (VideoPayload(vp8: payload), VideoPayload(vp9: payload), RedundantPayload(parsing: payload))
    _ = RetransmissionPayload.original(in: payload)
    let written = RTPPacket.bytes(
        packet.header, contributors: packet.contributors(in: span), form: packet.extensions?.form ?? .oneByte,
        extensions: elements, payload: payload.bytes, padding: UInt8(packet.paddingByteCount))
    let again = written.flatMap { try? RTPPacket(parsing: $0.span.bytes) }
    precondition(again?.header == packet.header)
    return 0
}
