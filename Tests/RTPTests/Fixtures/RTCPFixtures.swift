enum RTCPFixtures {
    private static let block = "0000000b 20 fffffe 00010005 00000060 11112222 00008000"
    private static let receiverReport = "81 c9 0007 0000000a \(block)"
    private static let emptyReport = "80 c9 0001 0000000a"

    static let good = [
        Fixture(
            "rtcp-sr-rr-sdes",
            "81 c8 000c 0000000a 83aa7e80 80000000 00000bb8 00000005 000001f4 \(block)"
                + " 81 ca 0003 0000000a 01 04 616263 64 00 00"
        ),
        Fixture("rtcp-rr-one-block", receiverReport),
        Fixture("rtcp-rr-no-block", emptyReport),
        Fixture("rtcp-rr-profile-extension", "80 c9 0002 0000000a 01020304"),
        Fixture("rtcp-sdes-terminator-on-the-boundary", "81 ca 0003 0000000a 01 02 6162 00000000"),
        Fixture("rtcp-sdes-no-item", "81 ca 0002 0000000a 00000000"),
        Fixture("rtcp-sdes-tool-before-name", "81 ca 0003 0000000a 06 01 78 01 01 61 00 00"),
        Fixture("rtcp-bye-with-reason", "81 cb 0003 0000000a 05 676f6e6521 0000"),
        Fixture("rtcp-bye-no-source", "80 cb 0000"),
        Fixture("rtcp-nack-two-entries", "81 cd 0004 0000000a 0000000b 0064 8001 ffff 0001"),
        Fixture("rtcp-pli", "81 ce 0002 0000000a 0000000b"),
        Fixture("rtcp-fir", "84 ce 0004 0000000a 00000000 0000000b 07000000"),
        Fixture("rtcp-remb", "8f ce 0005 0000000a 00000000 52454d42 01 07ffff 0000000b"),
        Fixture("rtcp-remb-bitrate-overflows", "8f ce 0004 0000000a 00000000 52454d42 00 ffffff"),
        Fixture(
            "rtcp-xr-times-and-unknown-block",
            "80 cf 000a 0000000a 04 00 0002 83aa7e80 80000000 "
                + "05 00 0003 0000000b 7e808000 00010000 01 00 0001 01020304"
        ),
        Fixture(
            "rtcp-xr-voice-metrics",
            "80 cf 000a 0000000a 07 00 0008 0000000b 0d 05 00 00"
                + " 0000 0000 0050 0028 7f7f7f10 50 7f 28 7f 00 00 003c 0000 0000"
        ),
        Fixture(
            "rtcp-transport-feedback-run-of-small-deltas",
            "8f cd 0006 0000000a 0000000b 0064 0003 000002 07 2003 0408 0c 000000"),
        Fixture(
            "rtcp-transport-feedback-vectors-and-large-deltas",
            "8f cd 0007 0000000a 0000000b fffe 001c ffffff 08 a000 d604 0007 01 02 03 fe0c 05"),
        Fixture(
            "rtcp-transport-feedback-nothing-arrived", "8f cd 0005 0000000a 0000000b 0064 1fff 000002 07 1fff 0000"),
        Fixture("rtcp-padding-in-last", "\(emptyReport) a0 c9 0002 0000000a 00000004"),
        Fixture("rtcp-reduced-size-only-nack", "81 cd 0003 0000000a 0000000b 0064 0000"),
    ]

    /// Well framed, with packets that are skipped.
    static let skipped = [
        Fixture("rtcp-app", "80 cc 0002 0000000a 61626364"),
        Fixture("rtcp-type-unknown", "80 d0 0001 0000000a"),
        Fixture("rtcp-transport-layer-feedback-of-another-format", "9e cd 0002 0000000a 0000000b"),
        Fixture("rtcp-payload-feedback-of-another-application", "8f ce 0003 0000000a 00000000 61626364"),
    ]

    /// Well framed, with packets whose body contradicts itself.
    static let malformed = [
        Fixture("rtcp-sr-truncated", "80 c8 0004 0000000a 83aa7e80 80000000 00000bb8"),
        Fixture("rtcp-rr-fewer-blocks-than-counted", "82 c9 0007 0000000a \(block)"),
        Fixture("rtcp-rr-without-sender", "80 c9 0000"),
        Fixture("rtcp-sdes-item-truncated", "81 ca 0002 0000000a 01 09 6162"),
        Fixture("rtcp-sdes-not-terminated", "81 ca 0002 0000000a 01 02 6162"),
        Fixture("rtcp-sdes-fewer-chunks-than-counted", "82 ca 0002 0000000a 00000000"),
        Fixture("rtcp-bye-reason-truncated", "81 cb 0002 0000000a 06 676f6e"),
        Fixture("rtcp-bye-fewer-sources-than-counted", "83 cb 0001 0000000a"),
        Fixture("rtcp-nack-without-entry", "81 cd 0002 0000000a 0000000b"),
        Fixture("rtcp-pli-without-media", "81 ce 0001 0000000a"),
        Fixture("rtcp-fir-entry-truncated", "84 ce 0003 0000000a 00000000 0000000b"),
        Fixture("rtcp-remb-fewer-sources-than-counted", "8f ce 0005 0000000a 00000000 52454d42 02 07ffff 0000000b"),
        Fixture("rtcp-transport-feedback-without-base", "8f cd 0002 0000000a 0000000b"),
        Fixture(
            "rtcp-transport-feedback-fewer-deltas-than-arrivals",
            "8f cd 0005 0000000a 0000000b 0064 0004 000002 07 2004 0408"),
        Fixture(
            "rtcp-transport-feedback-fewer-chunks-than-counted",
            "8f cd 0005 0000000a 0000000b 0064 0009 000002 07 0004 0004"),
        Fixture(
            "rtcp-transport-feedback-empty-run", "8f cd 0005 0000000a 0000000b 0064 0009 000002 07 0000 2009"),
        Fixture("rtcp-xr-block-longer-than-packet", "80 cf 0003 0000000a 04 00 0002 83aa7e80"),
    ]

    /// Not framed as RTCP: refused as a whole.
    static let bad = [
        Fixture("rtcp-empty", ""),
        Fixture("rtcp-header-truncated", "80 c9 00"),
        Fixture("rtcp-length-past-the-end", "80 c9 0002 0000000a"),
        Fixture("rtcp-version-1", "40 c9 0001 0000000a"),
        Fixture("rtcp-second-packet-truncated", "\(emptyReport) 81 ca 0003 0000000a"),
        Fixture("rtcp-padding-count-0", "a0 c9 0002 0000000a 00000000"),
        Fixture("rtcp-padding-no-multiple-of-4", "a0 c9 0002 0000000a 00000003"),
        Fixture("rtcp-padding-longer-than-body", "a0 c9 0001 0000000c"),
        Fixture("rtcp-padding-without-body", "a0 cb 0000"),
    ]

    static let all = good + skipped + malformed + bad
}
