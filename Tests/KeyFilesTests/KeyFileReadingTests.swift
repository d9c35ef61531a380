import KeyFiles
import Primitives
import Testing

struct KeyFileReadingTests {
    private enum Route: String, CaseIterable {
        case speaker
        case receiver
    }

    @Test func typedValuesAreRead() throws {
        let file = KeyFile(
            text: """
                [audio]
                frame = 20
                gain = -3.5
                denoise = on
                route = receiver
                servers = a, b ;; c
                motto = one\\sspace\\n
                """, name: "t")
        #expect(try file.integer("frame", in: "audio", range: 10...60) == 20)
        #expect(try file.number("gain", in: "audio", range: -20...20) == -3.5)
        #expect(try file.boolean("denoise", in: "audio") == true)
        #expect(try file.choice("route", in: "audio", of: Route.self) == .receiver)
        #expect(try file.strings("servers", in: "audio") == ["a", "b", "c"])
        #expect(try file.string("motto", in: "audio") == "one space\n")
        #expect(file.warnings.isEmpty)
    }

    @Test func anAbsentKeyOrGroupIsNil() throws {
        let file = KeyFile(text: "[a]\nb=1", name: "t")
        #expect(try file.string("c", in: "a") == nil)
        #expect(try file.integer("b", in: "z", range: 0...1) == nil)
        #expect(try file.boolean("a]b", in: "a") == nil)
        #expect(file.keys(in: "z").isEmpty)
        #expect(file.groups == ["a"] && file.keys(in: "a") == ["b"])
    }

    @Test func anErrorSaysWhereWhyAndWhatFits() {
        let file = KeyFile(
            text: "# c\n[audio]\nframe = 5\nmute = maybe\nroute = left\nmotto = \\q\ngain = loud", name: "hoot.conf")
        let expected = [
            "hoot.conf:3: [audio] frame: 5 is out of range; use 10 to 60",
            "hoot.conf:4: [audio] mute: \"maybe\" is neither on nor off; use on or off",
            "hoot.conf:5: [audio] route: \"left\" is not one of its values; use one of: speaker, receiver",
            "hoot.conf:6: [audio] motto: has an escape that is none; use \\s, \\n, \\t, \\r or \\\\",
            "hoot.conf:7: [audio] gain: \"loud\" is no number; use 0.0 to 1.0",
        ]
        var found: [String] = []
        do { _ = try file.integer("frame", in: "audio", range: 10...60) } catch { found.append("\(error)") }
        do { _ = try file.boolean("mute", in: "audio") } catch { found.append("\(error)") }
        do { _ = try file.choice("route", in: "audio", of: Route.self) } catch { found.append("\(error)") }
        do { _ = try file.string("motto", in: "audio") } catch { found.append("\(error)") }
        do { _ = try file.number("gain", in: "audio", range: 0...1) } catch { found.append("\(error)") }
        #expect(found == expected)
    }

    @Test(arguments: [
        ("[a]\nx=1\nx=2", 3, "\"x\" is given twice; this one holds and line 2 does not"),
        ("[a]\nx=1\n[b]\n[a]\ny=1", 4, "group [a] is given twice; the two are taken as one"),
        ("x=1\n[a]", 1, "\"x\" is in no [group]; passed over"),
        ("[a]\nrubbish\nx=1", 2, "is no \"key = value\"; passed over"),
        ("[a]\n[b\nx=1", 2, "is not a [group]; its keys are passed over"),
        ("[a]\n=1", 2, "\"\" cannot be a key; passed over"),
        ("[a]\nx[y=1", 2, "\"x[y\" cannot be a key; passed over"),
        ("[]\n[a]", 1, "is not a [group]; its keys are passed over"),
    ])
    func badLinesAreNamedAndTheRestHolds(text: String, line: Int, message: String) {
        let file = KeyFile(text: text + "\n[rest]\nholds = 1\n", name: "f")
        #expect(file.warnings.first == KeyFileWarning(file: "f", line: line, message: message))
        #expect((try? file.integer("holds", in: "rest", range: 0...1)) == 1)
    }

    @Test func theLastOfTwoDuplicatesHolds() throws {
        #expect(try KeyFile(text: "[a]\nx=1\nx=2", name: "f").string("x", in: "a") == "2")
    }

    @Test func carriageReturnsZeroBytesAndBrokenUTF8AreNoTrouble() throws {
        let file = KeyFile(bytes: Array("[a]\r\nx = 1\r\ny = \u{0}2\r\nz".utf8) + [0xFF, 0x3D, 0x31], name: "f")
        #expect(try file.string("x", in: "a") == "1")
        #expect(file.warnings.map(\.line) == [3, 4])
    }

    @Test func aFileThatIsFarTooLongIsNotRead() {
        let file = KeyFile(bytes: [UInt8](repeating: 0x23, count: 2 << 20), name: "f")
        #expect(file.groups.isEmpty)
        #expect(file.warnings.count == 1)
    }

    @Test func emptyFilesAreEmpty() {
        #expect(KeyFile(text: "", name: "f").groups.isEmpty)
        #expect(KeyFile(text: "\n\n# only a comment\n", name: "f").warnings.isEmpty)
    }
}
