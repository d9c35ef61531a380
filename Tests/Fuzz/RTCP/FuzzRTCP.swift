import Primitives
import RTP

/// One run of libFuzzer: any bytes parse as RTCP or fail, and what is parsed can be written and parsed again.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let span = UnsafeRawBufferPointer(start: data, count: count).bytes
    guard let parsed = try? RTCPCompound(parsing: span), !parsed.packets.isEmpty else { return 0 }
    let again = try? RTCPCompound(parsing: parsed.bytes.span.bytes)
    precondition(again?.packets.count == parsed.packets.count)
    precondition(again?.malformedCount == 0)
    return 0
}
