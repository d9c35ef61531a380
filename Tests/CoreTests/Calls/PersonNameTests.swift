import Testing

@testable import Core

struct PersonNameTests {
    @Test(arguments: [
        ("you", "“you”"), ("You", "“You”"), (" YOU ", "“ YOU ”"), ("you MIC LIVE", "“you MIC LIVE”"), ("yоu", "“yоu”"),
        ("ｙｏｕ", "“ｙｏｕ”"), ("yóu", "“yóu”"), ("you2", "you2"), ("young", "young"), ("bob", "bob"), ("“you”", "“you”"),
    ])
    func nobodyElseIsShownAsYou(name: String, shown: String) {
        #expect(name.asName == shown)
        #expect(name.asShortName == shown)
    }

    @Test func aHugeNameLeavesRoomForWhatIsSaidOfIt() {
        #expect(String(repeating: "a", count: 255).asShortName == String(repeating: "a", count: 23) + "…")
    }
}
