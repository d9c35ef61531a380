enum RTPFixtures {
    static let good = [
        Fixture("rtp-opus", "80 6f 1234 00000bb8 deadbeef 78 01 02 03"),
        Fixture("rtp-marker-and-wrapped-numbers", "80 ef ffff ffffffff ffffffff 78"),
        Fixture("rtp-no-payload", "80 00 0001 00000002 00000003"),
        Fixture("rtp-two-contributors", "82 00 0001 000000a0 00000003 0000000a 0000000b ff"),
        Fixture("rtp-level-one-byte-form", "90 6f 0001 000003c0 00000001 bede 0001 10 92 00 00 78 aa"),
        Fixture("rtp-level-two-byte-form", "90 6f 0001 000003c0 00000001 1000 0001 01 01 12 00 78 aa"),
        Fixture("rtp-extension-element-without-value", "90 6f 0001 000003c0 00000001 1003 0001 05 00 00 00 78"),
        Fixture("rtp-extension-of-no-words", "90 6f 0001 000003c0 00000001 bede 0000 78"),
        Fixture("rtp-extension-profile-unknown", "90 6f 0001 000003c0 00000001 abcd 0001 01020304 78"),
        Fixture("rtp-extension-padding-between", "90 6f 0001 000003c0 00000001 bede 0002 10 05 00 00 21 61 62 00 78"),
        Fixture("rtp-extension-id-15-ends", "90 6f 0001 000003c0 00000001 bede 0002 10 05 f0 01 20 07 00 00 78"),
        Fixture(
            "rtp-extension-id-0-with-length-ends", "90 6f 0001 000003c0 00000001 bede 0002 03 05 10 01 20 07 00 00"),
        Fixture("rtp-extension-element-past-its-block", "90 6f 0001 000003c0 00000001 bede 0001 10 05 2f 61 7878 7878"),
        Fixture("rtp-two-byte-element-past-its-block", "90 6f 0001 000003c0 00000001 1000 0001 01 09 61 62 7878 7878"),
        Fixture("rtp-two-byte-id-without-length", "90 6f 0001 000003c0 00000001 1000 0001 00 00 00 07 7878"),
        Fixture("rtp-padding-of-4", "a0 6f 0001 000003c0 00000001 78 00000004"),
        Fixture("rtp-only-padding", "a0 6f 0001 000003c0 00000001 00000004"),
        Fixture("rtp-only-padding-with-extension", "b0 6f 0001 000003c0 00000001 bede 0001 10 7f 00 00 02 02"),
    ]

    static let bad = [
        Fixture("rtp-empty", ""),
        Fixture("rtp-header-truncated", "80 6f 1234 00000bb8 deadbe"),
        Fixture("rtp-version-1", "40 6f 1234 00000bb8 deadbeef"),
        Fixture("rtp-version-3", "c0 6f 1234 00000bb8 deadbeef 78"),
        Fixture("rtp-contributors-truncated", "8f 00 0001 000000a0 00000003 0000000a"),
        Fixture("rtp-extension-header-truncated", "90 6f 0001 000003c0 00000001 bede"),
        Fixture("rtp-extension-longer-than-packet", "90 6f 0001 000003c0 00000001 bede ffff 10 92 00 00"),
        Fixture("rtp-padding-count-0", "a0 6f 0001 000003c0 00000001 78 00"),
        Fixture("rtp-padding-into-the-header", "a0 6f 0001 000003c0 00000001 78 03"),
        Fixture("rtp-padding-without-payload", "a0 6f 0001 000003c0 00000001"),
    ]
}
