enum VideoFixtures {
    static let vp8 = [
        Fixture("vp8-key-frame-long-id", "b0 f0 9234 56 63 10 02 00 9d 01 2a"),
        Fixture("vp8-plain", "10 31 00 00"),
        Fixture("vp8-second-partition-short-id", "91 80 11 00 ff"),
        Fixture("vp8-reserved-bits-set", "fe 8f 7f 01"),
    ]

    static let vp8Bad = [
        Fixture("vp8-empty", ""),
        Fixture("vp8-extension-cut", "90"),
        Fixture("vp8-long-id-cut", "90 80 92"),
        Fixture("vp8-layers-cut", "90 e0 12 34"),
        Fixture("vp8-descriptor-alone", "10"),
    ]

    static let vp9 = [
        Fixture("vp9-key-with-structure", "aa 9234 00 07 18 0280 0168 02 04 02 34 01 82 49"),
        Fixture("vp9-flexible-two-references", "f8 11 50 03 08 86 00"),
        Fixture("vp9-plain-inter", "4c 86 00"),
        Fixture("vp9-upper-spatial-layer", "ac 9234 03 07 82 49"),
    ]

    static let vp9Bad = [
        Fixture("vp9-empty", ""),
        Fixture("vp9-id-cut", "80 92"),
        Fixture("vp9-base-index-cut", "20 00"),
        Fixture("vp9-four-references", "50 03 03 03 02 86"),
        Fixture("vp9-structure-cut", "0a 18 0280"),
        Fixture("vp9-group-cut", "0a 08 ff 04 02"),
        Fixture("vp9-descriptor-alone", "0c"),
    ]

    static let red = [
        Fixture("red-one-block", "ef 0f0003 6f 78 01 02 79 03"),
        Fixture("red-primary-alone", "6f 78"),
        Fixture("red-block-too-long", "ef 0f03ff 6f 78 01"),
        Fixture("red-header-cut", "ef 0f"),
    ]

    static let all = vp8 + vp8Bad + vp9 + vp9Bad + red
}
