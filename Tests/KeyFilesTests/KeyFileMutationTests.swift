import KeyFiles
import Primitives
import Testing

struct KeyFileMutationTests {
    private static let seedText = """
        # hoot.conf
        [audio]
        frame = 20
        denoise = on
        input = alsa_input.usb-0.mono

        # a theme
        [palette]
        red = #ff0000
        [styles]
        panel.title.focused = bold red on 236
        name[de] = hören\\n
        """

    @Test func everyPrefixReads() {
        let bytes = Array(Self.seedText.utf8)
        for count in 0...bytes.count {
            exercise(Array(bytes.prefix(count)))
        }
    }

    @Test func mutationsNeverCrashAndWhatIsSavedReadsWithoutWarnings() {
        var random = SplitMix64(seed: 2)
        let seed = Array(Self.seedText.utf8)
        let spice = Array("=[]#;\\\n\r\u{0} \t".utf8) + [0xFF, 0xC3, 0x80]
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = spice.randomElement(using: &random) ?? 0
                case 1: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                default: bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
                if bytes.isEmpty { bytes = [0x5B] }
            }
            exercise(bytes)
        }
    }

    private func exercise(_ bytes: [UInt8]) {
        let file = KeyFile(bytes: bytes, name: "m")
        #expect(file.warnings.allSatisfy { $0.line != nil }, "GLib refused what the scanner let through")
        for group in file.groups {
            for key in file.keys(in: group) {
                _ = try? file.integer(key, in: group, range: 0...9)
                _ = try? file.boolean(key, in: group)
                _ = try? file.strings(key, in: group)
            }
        }
        let again = KeyFile(text: file.text, name: "m")
        #expect(again.warnings.isEmpty)
        #expect(again.groups == file.groups)
    }
}
