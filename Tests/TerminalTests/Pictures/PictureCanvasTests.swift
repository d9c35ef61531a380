import Primitives
import TestSupport
import Testing

@testable import Terminal

struct PictureCanvasTests {
    private static let modes: [PictureMode] =
        PictureMode.Glyphs.allCases.flatMap { glyphs in
            [.palette, .direct].map { PictureMode(glyphs: glyphs, colors: $0) }
        } + [PictureMode.Colors.none, .first(8), .first(16)].map { PictureMode(glyphs: .ascii, colors: $0) }
    private static let size = Size(rows: 22, columns: 80)

    /// Few bytes, and nearer to the clip than upper and lower halves that are all drawn anew; where all moves, by less.
    @Test(arguments: [
        (MovingClip.Kind.head, PictureMode.Glyphs.sextant, 0.5), (.head, .quadrant, 0.1), (.head, .half, 0),
        (.pan, .sextant, 0.3), (.pan, .quadrant, 0), (.pan, .half, 0),
    ])
    func aMovingClipTakesFewBytesAndLooksGood(kind: MovingClip.Kind, glyphs: PictureMode.Glyphs, gain: Double) {
        var clip = MovingClip(kind, width: 320, height: 176)
        var canvas = PictureCanvas(mode: PictureMode(glyphs: glyphs, colors: .palette), size: Self.size)
        var (bytes, likeness, plain) = (0, 0.0, 0.0)
        for frame in 0..<48 {
            let picture = clip.next()
            let count = canvas.draw(picture).count
            // What there is too much of is shown less well, frame by frame.
            if frame >= 24 { bytes += count }
            guard frame % 12 == 11 else { continue }
            likeness += canvas.shownPicture.likeness(to: picture) / 4
            plain += picture.inHalves(rows: 22, columns: 80).likeness(to: picture) / 4
        }
        #expect(bytes / 24 <= 4200, "\(bytes / 24) bytes a frame")
        #expect(likeness >= plain + gain, "\(likeness) dB against \(plain) dB of half blocks")
    }

    @Test(arguments: modes)
    func aStillPictureIsWrittenOnce(mode: PictureMode) {
        var clip = MovingClip(width: 160, height: 90)
        let picture = clip.next()
        var canvas = PictureCanvas(mode: mode, size: Size(rows: 11, columns: 40))
        #expect(!canvas.draw(picture).isEmpty)
        #expect(canvas.isShown)
        #expect(canvas.draw(picture).isEmpty)
    }

    @Test func noiseBelowTheThresholdWritesNothing() {
        var random = SplitMix64(seed: 1)
        var canvas = PictureCanvas(
            mode: PictureMode(glyphs: .sextant, colors: .direct), size: Size(rows: 10, columns: 20))
        for frame in 0..<10 {
            let picture = RGBPicture(width: 40, height: 30) { x, y in
                let value = UInt8(x * 4 + y * 2 + Int.random(in: 0...3, using: &random))
                return (value, value / 2, 200)
            }
            #expect(canvas.draw(picture).isEmpty == (frame > 0))
        }
    }

    @Test(arguments: modes)
    func everySizeIsFilledAndReadsBack(mode: PictureMode) {
        var clip = MovingClip(width: 64, height: 36)
        let picture = clip.next()
        for (rows, columns) in [(1, 1), (1, 7), (5, 1), (2, 3), (22, 80), (43, 132)] {
            expectReadsBack(picture, mode, Size(rows: rows, columns: columns))
        }
    }

    @Test func theLargestScreenIsFilledFromTheSmallestPicture() {
        let picture = RGBPicture(width: 1, height: 1) { _, _ in (200, 30, 90) }
        expectReadsBack(picture, PictureMode(glyphs: .sextant, colors: .palette), Size(rows: 200, columns: 500))
        expectReadsBack(RGBPicture(width: 0, height: 5), Self.modes[0], Size(rows: 2, columns: 2))
    }

    /// A terminal that takes what is written shows the cells that the canvas says it shows.
    private func expectReadsBack(_ picture: RGBPicture, _ mode: PictureMode, _ size: Size) {
        var canvas = PictureCanvas(mode: mode, size: size)
        var terminal = TerminalPicture(rows: size.rows, columns: size.columns)
        terminal.show(canvas.draw(picture))
        #expect(canvas.isShown)
        #expect(terminal.picture(in: canvas.screen, mode) == canvas.shownPicture, "\(mode) \(size)")
    }

    @Test func aFrameKeepsToItsLimitAndTheRestFollows() {
        var clip = MovingClip()
        let picture = clip.next()
        let mode = PictureMode(glyphs: .sextant, colors: .palette)
        var canvas = PictureCanvas(mode: mode, size: Self.size)
        var terminal = TerminalPicture(rows: Self.size.rows, columns: Self.size.columns)
        var frames = 0
        while !canvas.isShown || frames == 0 {
            let bytes = canvas.draw(picture, limit: 1000)
            #expect((1...1040).contains(bytes.count))
            terminal.show(bytes)
            frames += 1
        }
        #expect(frames > 5)
        #expect(terminal.picture(in: canvas.screen, mode) == canvas.shownPicture)
    }

    @Test func noRowStarvesUnderALimit() {
        let mode = PictureMode(glyphs: .half, colors: .palette)
        var canvas = PictureCanvas(mode: mode, size: Size(rows: 10, columns: 20))
        var touched: Set<Int> = []
        for frame in 0..<20 {
            let picture = RGBPicture(width: 1, height: 1) { _, _ in
                frame.isMultiple(of: 2) ? (0, 0, 0) : (255, 255, 255)
            }
            let before = canvas.shown
            _ = canvas.draw(picture, limit: 30)
            touched.formUnion(canvas.shown.indices.filter { before[$0] != canvas.shown[$0] }.map { $0 / 20 })
        }
        #expect(touched == Set(0..<10))
    }

    @Test func anotherCellStaysAsItIsAndAClearedAreaIsBlank() {
        let mode = PictureMode(glyphs: .half, colors: .palette)
        var canvas = PictureCanvas(mode: mode, size: Size(rows: 4, columns: 8))
        let area = CellArea(row: 1, column: 2, size: Size(rows: 2, columns: 3))
        let blank = canvas.shown[0]
        canvas.show(RGBPicture(width: 1, height: 1) { _, _ in (255, 0, 0) }, in: area)
        var output: [UInt8] = []
        canvas.write(rows: [0..<4], limit: 1000, to: &output)
        for (index, cell) in canvas.shown.enumerated() {
            #expect((cell == blank) != (area.rows.contains(index / 8) && area.columns.contains(index % 8)))
        }
        canvas.show(RGBPicture(width: 1, height: 1), in: CellArea(row: 2, column: 7, size: Size(rows: 1, columns: 2)))
        canvas.clear(area)
        canvas.write(rows: [0..<4], limit: 1000, to: &output)
        #expect(canvas.shown.allSatisfy { $0 == blank })
    }

    @Test(arguments: [PictureMode.Colors.palette, .direct])
    func whatIsClearedBesideAPictureIsNoInk(colors: PictureMode.Colors) {
        let size = Size(rows: 1, columns: 4)
        var canvas = PictureCanvas(mode: PictureMode(glyphs: .quadrant, colors: colors), size: size)
        var terminal = TerminalPicture(rows: 1, columns: 4)
        terminal.show(canvas.draw(RGBPicture(width: 1, height: 1) { _, _ in (255, 0, 0) }))
        canvas.clear(canvas.screen)
        let half = CellArea(row: 0, column: 0, size: Size(rows: 1, columns: 2))
        canvas.show(RGBPicture(width: 1, height: 1) { _, _ in (0, 0, 255) }, in: half)
        var output: [UInt8] = []
        canvas.write(rows: [0..<1], limit: 1000, to: &output)
        terminal.show(output)
        #expect(terminal.cells == [[" ", " ", " ", " "]])
        #expect(terminal.colors[0].map { $0.background == nil } == [false, false, true, true])
    }

    @Test(arguments: PictureMode.Glyphs.allCases)
    func aMirroredPictureIsSeenFromTheOtherSide(glyphs: PictureMode.Glyphs) {
        let picture = RGBPicture(width: 8, height: 2) { x, _ in x < 4 ? (255, 0, 0) : (0, 0, 255) }
        let size = Size(rows: 2, columns: 4)
        var canvas = PictureCanvas(mode: PictureMode(glyphs: glyphs, colors: .direct), size: size)
        canvas.show(picture, in: CellArea(row: 0, column: 0, size: size), isMirrored: true)
        var output: [UInt8] = []
        canvas.write(rows: [0..<2], limit: 1000, to: &output)
        #expect(canvas.shownPicture.bytes.prefix(3) == [0, 0, 255])
        #expect(canvas.shownPicture.bytes.suffix(3) == [255, 0, 0])
    }

    @Test func withoutFixedColoursOrUTF8OnlyASCIIIsWritten() {
        var clip = MovingClip(width: 64, height: 36)
        let picture = clip.next()
        for mode in Self.modes where mode.glyphs == .ascii {
            var canvas = PictureCanvas(mode: mode, size: Size(rows: 10, columns: 40))
            let bytes = canvas.draw(picture)
            #expect(bytes.allSatisfy { $0 < 0x80 })
            // Without colours nothing but the reset at the beginning sets any.
            if mode.colors == .none { #expect(bytes.filter { $0 == UInt8(ascii: "m") }.count == 1) }
        }
    }
}
