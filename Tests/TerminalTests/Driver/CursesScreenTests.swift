import Glibc
import Primitives
import Terminal
import TestSupport
import Testing

/// ncurses holds its state in globals, so these run one after another.
@Suite(.serialized)
struct CursesScreenTests {
    private static let utf8 = TerminalEnvironment(term: "xterm-256color", isUTF8: true, noColor: false)

    @Test func whatIsDrawnIsWhatTheTerminalShows() throws {
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.put("MIC LIVE", row: 1, column: 2, style: Style(foreground: .indexed(196), attributes: .bold))
            surface.put("日本 café e\u{301} ██▎ – 🙂", row: 3, column: 0)
            surface.put("corner", row: 23, column: 74)
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            #expect(terminal.picture().lines == surface.lines)
            surface.put("MUTED   ", row: 1, column: 2)
            surface.put("x", row: 3, column: 1)
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            let picture = terminal.picture()
            #expect(picture.lines == surface.lines)
            #expect(picture.isAlternate && !picture.isCursorVisible && picture.unknown.isEmpty)
        }
    }

    @Test func randomScreensArriveWhole() throws {
        var random = SplitMix64(seed: 3)
        let texts = ["chi", "日本語", "▏▎▍▌▋▊▉█", "a\u{301}e\u{301}", "        ", "🙂🙂", "-----"]
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            for _ in 0..<200 {
                for _ in 0..<12 {
                    let style = Style(
                        foreground: .indexed(UInt8.random(in: 0...255, using: &random)),
                        attributes: Style.Attributes(rawValue: UInt8.random(in: 0...15, using: &random)))
                    surface.put(
                        texts.randomElement(using: &random) ?? "", row: Int.random(in: 0..<24, using: &random),
                        column: Int.random(in: -3..<80, using: &random), style: style)
                }
                #expect(screen.draw(surface, on: device, at: .zero) == .done)
                terminal.drain()
            }
            #expect(terminal.picture().lines == surface.lines)
        }
    }

    @Test func anUnchangedFrameWritesNothing() throws {
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.put("text", row: 2, column: 2)
            _ = screen.draw(surface, on: device, at: .zero)
            let before = screen.meter.bytes
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            #expect(screen.meter.bytes == before)
            surface.put("texT", row: 2, column: 2)
            _ = screen.draw(surface, on: device, at: .zero)
            #expect((1...12).contains(screen.meter.bytes - before))
        }
    }

    @Test func aFrameIsMarkedWhereTheTerminalShowsItAtOnce() throws {
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            _ = screen.draw(surface, on: device, at: .zero)
            terminal.drain()
            #expect(String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}[?2026$p"), "it is asked")
            terminal.forget()
            screen.synchronizes = true
            surface.put("whole", row: 3, column: 4)
            _ = screen.draw(surface, on: device, at: .zero)
            terminal.drain()
            let text = String(decoding: terminal.output, as: UTF8.self)
            #expect(text.hasPrefix("\u{1B}[?2026h") && text.hasSuffix("\u{1B}[?2026l") && text.contains("whole"))
            terminal.forget()
            _ = screen.draw(surface, on: device, at: .zero)
            #expect(terminal.drain() == 0, "nothing changed")
        }
    }

    @Test func aHiddenCursorStandsWhereTheReaderIsToLook() throws {
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.focus = Position(row: 4, column: 0)
            surface.put("changed", row: 20, column: 5)
            _ = screen.draw(surface, on: device, at: .zero)
            var picture = terminal.picture()
            #expect(picture.cursor.row == 4 && picture.cursor.column == 0 && !picture.isCursorVisible)
            let before = screen.meter.bytes
            _ = screen.draw(surface, on: device, at: .zero)
            #expect(screen.meter.bytes == before, "nothing changed")
            surface.focus = Position(row: 5, column: 0)
            _ = screen.draw(surface, on: device, at: .zero)
            picture = terminal.picture()
            #expect(picture.cursor.row == 5 && !picture.isCursorVisible)
        }
    }

    @Test func aTerminalThatNobodyReadsNeverBlocksAndGetsOneDiffLater() throws {
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            let start = MonoTime.now()
            var drawings: [CursesScreen.Drawing] = []
            for frame in 0..<300 {
                for row in 0..<24 {
                    surface.put(
                        String(
                            (0..<80).map { Character(Unicode.Scalar(UInt8(33 + ($0 * 7 + row * 3 + frame * 5) % 90))) }),
                        row: row, column: 0)
                }
                drawings.append(screen.draw(surface, on: device, at: .zero))
            }
            #expect(MonoTime.now() - start < .seconds(10))
            #expect(drawings.contains(.waiting) && drawings.last == .skipped)
            #expect(screen.meter.skippedFrames > 200)
            var rounds = 0
            while screen.wantsToWrite, rounds < 1000 {
                terminal.drain()
                _ = screen.flush(to: device, at: .zero)
                rounds += 1
            }
            #expect(screen.draw(surface, on: device, at: .zero) != .skipped)
            while screen.wantsToWrite, rounds < 2000 {
                terminal.drain()
                _ = screen.flush(to: device, at: .zero)
                rounds += 1
            }
            #expect(terminal.picture().lines == surface.lines)
        }
    }

    @Test func leavingAStuckTerminalTakesNoLongerThanItsLimit() throws {
        try withScreen { screen, device, _ in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            for frame in 0..<50 where !screen.wantsToWrite {
                surface.fill(row: 0, height: 24, with: frame.isMultiple(of: 2) ? "#" : "+")
                surface.restyle(row: frame % 24, column: 0, width: 80) { _ in Style(foreground: .indexed(UInt8(frame)))
                }
                _ = screen.draw(surface, on: device, at: .zero)
            }
            let start = MonoTime.now()
            screen.leave(device, within: .milliseconds(100))
            #expect(MonoTime.now() - start < .seconds(2))
        }
    }

    @Test func aNewSizeIsDrawnWhole() throws {
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.fill(row: 0, height: 24, with: "#")
            _ = screen.draw(surface, on: device, at: .zero)
            for (rows, columns) in [(6, 20), (50, 200), (24, 80)] {
                terminal.resize(rows: UInt16(rows), columns: UInt16(columns))
                #expect(device.size == Size(rows: rows, columns: columns))
                terminal.drain()
                terminal.forget()
                surface = Surface(size: device.size)
                surface.put("size \(rows)", row: rows - 1, column: columns - 8)
                #expect(screen.draw(surface, on: device, at: .zero) == .done)
                #expect(terminal.picture(rows: rows, columns: columns).lines == surface.lines)
            }
        }
    }

    @Test func theCursorIsShownWhereThePromptHasIt() throws {
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.cursor = Position(row: 5, column: 7)
            _ = screen.draw(surface, on: device, at: .zero)
            terminal.drain()
            #expect(terminal.picture().isCursorVisible)
            #expect(String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}[6;8H"))
        }
    }

    @Test func whatIsCopiedGoesToTheClipboardBetweenFramesAndNoEscapeOfItsOwn() throws {
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.put("before", row: 2, column: 2)
            _ = screen.draw(surface, on: device, at: .zero)
            screen.copy("https://pi/r/a#\u{1B}]0;x\u{7}é")
            surface.put("after!", row: 2, column: 2)
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            let picture = terminal.picture()
            #expect(picture.clipboard == "aHR0cHM6Ly9waS9yL2EjG10wO3gHw6k=" && picture.unknown.isEmpty)
            #expect(picture.lines == surface.lines)
            screen.copy(String(repeating: "x", count: CursesScreen.clipboardLimit + 1))
            let wantsToWrite = screen.wantsToWrite
            #expect(!wantsToWrite)
        }
    }

    @Test func leavingRestoresTheSettingsAndTheScreen() throws {
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        do {
            let device = try TerminalDevice(path: terminal.path)
            #expect(terminal.settings.c_lflag != before.c_lflag)
            var screen = try CursesScreen(environment: Self.utf8, size: device.size)
            _ = screen.draw(Surface(size: device.size), on: device, at: .zero)
            screen.leave(device)
        }
        #expect(isSame(terminal.settings, before))
        let picture = terminal.picture()
        #expect(!picture.isAlternate && picture.isCursorVisible)
        let text = String(decoding: terminal.output, as: UTF8.self)
        #expect(text.contains("\u{1B}[?2004h") && text.contains("\u{1B}[?2004l"))
    }

    @Test func leavingAndEnteringAgainDrawsEverything() throws {
        try withScreen { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.put("still here", row: 4, column: 4)
            _ = screen.draw(surface, on: device, at: .zero)
            screen.leave(device)
            terminal.drain()
            terminal.forget()
            screen.enter(device)
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            let picture = terminal.picture()
            #expect(picture.lines == surface.lines && picture.isAlternate)
        }
    }

    @Test(arguments: [
        ("xterm-ghostty-of-the-future", "xterm-256color"), ("tmux-of-the-future", "screen"), ("", "vt100"),
    ])
    func anUnknownTerminalTypeFallsBackWithANotice(term: String, used: String) throws {
        let environment = TerminalEnvironment(term: term, isUTF8: true, noColor: false)
        try withScreen(environment) { screen, device, terminal in
            #expect(screen.notice?.contains("drawing as for \(used)") == true)
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.put("usable", row: 3, column: 3)
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            terminal.drain()
            #expect(String(decoding: terminal.output, as: UTF8.self).contains("usable"))
        }
    }

    @Test func aDumbTerminalIsRefusedWithTheWayOut() throws {
        let environment = TerminalEnvironment(term: "dumb", isUTF8: true, noColor: false)
        let error = #expect(throws: UserFacingError.self) {
            let screen = try CursesScreen(environment: environment, size: Size(rows: 24, columns: 80))
            _ = screen.depth
        }
        #expect(error?.remedy == "set TERM, or use hoot --plain")
    }

    @Test(arguments: [
        ("xterm-256color", false, ColorDepth.palette256), ("xterm-256color", true, .mono), ("linux", false, .eight),
        ("vt100", false, .mono), ("xterm-direct", false, .direct),
    ])
    func theColourDepthIsTheTerminals(term: String, noColor: Bool, depth: ColorDepth) throws {
        let environment = TerminalEnvironment(term: term, isUTF8: true, noColor: noColor)
        try withScreen(environment) { screen, device, terminal in
            #expect(screen.depth == depth)
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.put("hot", row: 0, column: 0, style: Style(foreground: .rgb(red: 255, green: 0, blue: 0)))
            _ = screen.draw(surface, on: device, at: .zero)
            terminal.drain()
            let text = String(decoding: terminal.output, as: UTF8.self)
            #expect(text.contains("hot"))
            #expect(text.contains("38;5;196mhot") == (depth == .palette256))
            #expect(text.contains(";31mhot") == (depth == .eight))
            #expect(text.contains("8:2::255:0:0m") == (depth == .direct))
        }
    }

    /// The description knows a palette; the terminal says that it shows more.
    @Test func directColoursAreNamedWhereTheTerminalShowsThem() throws {
        let environment = TerminalEnvironment(
            term: "xterm-256color", isUTF8: true, noColor: false, hasDirectColor: true)
        try withScreen(environment) { screen, device, terminal in
            #expect(screen.depth == .direct)
            var surface = Surface(size: Size(rows: 24, columns: 80))
            let (paper, ink) = (Color.rgb(red: 1, green: 2, blue: 3), Color.rgb(red: 215, green: 95, blue: 94))
            surface.fill(row: 0, height: 2, with: "#", style: Style(foreground: ink, background: paper))
            surface.put("palette", row: 3, column: 0, style: Style(foreground: .indexed(167)))
            surface.put("named", row: 4, column: 0, style: Style(foreground: .indexed(1)))
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            let picture = terminal.picture()
            #expect(picture.lines == surface.lines)
            #expect(picture.colors[1][79] == TerminalColors(foreground: 0xD75F5E, background: 0x010203))
            #expect(picture.colors[3][0].foreground == 0xD75F5F && picture.colors[3][0].background == nil)
            #expect(String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}[31m"), "the user's own red")
            // More than there are entries for: those that are left out have the terminal's own colour.
            for index in 0..<300 {
                let color = Color.rgb(red: 9, green: UInt8(index / 80), blue: UInt8(index % 80))
                surface.put("x", row: 10 + index / 80, column: index % 80, style: Style(foreground: color))
            }
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            let after = terminal.picture()
            #expect(after.colors[10][7].foreground == 0x090007 && after.colors[13][50].foreground == nil)
            #expect(after.colors[1][79] == picture.colors[1][79])
        }
    }

    @Test func withoutUTF8NothingOutsideASCIIIsWritten() throws {
        let environment = TerminalEnvironment(term: "xterm-256color", isUTF8: false, noColor: false)
        try withScreen(environment) { screen, device, terminal in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            surface.put("a日é█z", row: 0, column: 0)
            _ = screen.draw(surface, on: device, at: .zero)
            #expect(terminal.picture().lines[0] == "a????z")
            #expect(terminal.output.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func eightLiveMetersAt120By40StayUnder8KilobytesASecond() throws {
        var random = SplitMix64(seed: 5)
        let terminal = try PseudoTerminal(rows: 40, columns: 120)
        let device = try TerminalDevice(path: terminal.path)
        var screen = try CursesScreen(environment: Self.utf8, size: device.size)
        var surface = Surface(size: device.size)
        var before = 0
        for frame in 0..<110 {
            for row in 0..<8 {
                let length = Int.random(in: 5...40, using: &random)
                let meter = String(repeating: "█", count: length) + "▍" + String(repeating: " ", count: 40 - length)
                surface.put(meter, row: row + 3, column: 20, style: Style(foreground: .indexed(114)))
                surface.put("-\(length + 10) ", row: row + 3, column: 64)
            }
            if frame == 10 { before = screen.meter.bytes }
            #expect(screen.draw(surface, on: device, at: .zero) == .done)
            terminal.drain()
        }
        #expect((screen.meter.bytes - before) / 10 < 8000)
        screen.leave(device)
    }

    @Test func theMeterCountsWholeSeconds() throws {
        try withScreen { screen, device, _ in
            var surface = Surface(size: Size(rows: 24, columns: 80))
            let start = MonoTime.zero + .seconds(5)
            _ = screen.draw(surface, on: device, at: start)
            let before = screen.meter.bytes
            surface.put("x", row: 0, column: 0)
            _ = screen.draw(surface, on: device, at: start + .milliseconds(500))
            var meter = screen.meter
            #expect(meter.bytesPerSecond(at: start + .milliseconds(999)) == 0)
            #expect(meter.bytesPerSecond(at: start + .seconds(1)) == screen.meter.bytes)
            #expect(meter.bytesPerSecond(at: start + .seconds(3)) == 0)
            #expect(screen.meter.bytes > before)
        }
    }

    private func withScreen(
        _ environment: TerminalEnvironment = utf8,
        _ body: (inout CursesScreen, borrowing TerminalDevice, PseudoTerminal) throws -> Void
    ) throws {
        let terminal = try PseudoTerminal()
        let device = try TerminalDevice(path: terminal.path)
        var screen = try CursesScreen(environment: environment, size: device.size)
        defer { screen.leave(device) }
        try body(&screen, device, terminal)
    }

    private func isSame(_ left: termios, _ right: termios) -> Bool {
        withUnsafeBytes(of: left) { left in withUnsafeBytes(of: right) { left.elementsEqual($0) } }
    }
}
