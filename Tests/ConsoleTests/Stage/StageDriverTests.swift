import ControlProtocol
import Primitives
import Terminal
import TestSupport
import Testing

@testable import Console

/// Pictures from a provider to a real pseudo terminal that answers at once.
@Suite(.serialized) struct StageDriverTests {
    private final class MadePictures: StagePictures {
        var wishes: [VideoWish] = []
        var waiting: [String: RGBPicture] = [:]
        var source = (width: 640, height: 480)
        let descriptor: Int32 = -1

        func want(_ wishes: [VideoWish]) { self.wishes = wishes }
        func quiet() {}

        func take(_ participant: String, into picture: inout RGBPicture) -> (width: Int, height: Int)? {
            guard let next = waiting.removeValue(forKey: participant) else { return nil }
            picture = next
            return source
        }
    }

    private static let area = CellArea(row: 2, column: 0, size: Size(rows: 20, columns: 80))

    private static func tile(_ id: String) -> StageTile {
        StageTile(id: id, area: area, captionRow: nil, isMirrored: false)
    }

    @Test func whatIsWantedFillsTheTileInThePicturesShape() throws {
        try withStage { stage, screen, device, _, pictures in
            #expect(pictures.wishes == [VideoWish(participant: "p1", width: 142, height: 40)])
            pictures.waiting["p1"] = RGBPicture(width: 142, height: 40)
            stage.rang()
            drive(&stage, &screen, device, from: .zero)
            // 4 to 3, now that the source is known to be so: 53 cells of 20 rows.
            #expect(pictures.wishes == [VideoWish(participant: "p1", width: 106, height: 40)])
            stage.layOut([], size: device.size, cellShape: (1, 2))
            #expect(pictures.wishes.isEmpty)
        }
    }

    @Test func aFrameIsDrawnOnceTheTerminalHasAnsweredAndAStillStageRests() throws {
        try withStage { stage, screen, device, terminal, pictures in
            var now = MonoTime.zero + .seconds(1)
            pictures.waiting["p1"] = RGBPicture(width: 8, height: 8)
            stage.rang()
            #expect(stage.deadline(screen) != nil)
            _ = stage.draw(on: &screen, device, at: now)
            #expect(terminal.picture().questionCount == 1)
            _ = stage.draw(on: &screen, device, at: now + .milliseconds(100))
            #expect(terminal.picture().questionCount == 1)
            stage.answered(at: now + .milliseconds(100))
            now += .milliseconds(200)
            _ = stage.draw(on: &screen, device, at: now)
            #expect(terminal.picture().questionCount == 2)
            stage.answered(at: now)
            drive(&stage, &screen, device, from: now + .milliseconds(100))
            #expect(stage.deadline(screen) == nil)
            let before = screen.meter.bytes
            stage.rang()
            drive(&stage, &screen, device, from: now + .seconds(2))
            #expect(screen.meter.bytes == before && stage.deadline(screen) == nil)
        }
    }

    /// Much that moved was shown roughly; nothing moves any more, and no picture comes that would say so.
    @Test func whatStandsStillBecomesClear() throws {
        try withStage { stage, screen, device, terminal, pictures in
            var random = SplitMix64(seed: 3)
            func show(_ levels: [UInt8]) {
                var picture = RGBPicture(width: 106, height: 40)
                picture.withMutableBytes { bytes in
                    for index in bytes.indices { bytes[index] = levels[Int(random.next() % UInt64(levels.count))] }
                }
                pictures.waiting["p1"] = picture
                stage.rang()
            }
            for frame in 0..<30 {
                show(frame < 29 ? [98, 158] : [128])
                _ = stage.draw(on: &screen, device, at: .zero + .milliseconds(1000 + frame * 80))
                stage.answered(at: .zero + .milliseconds(1001 + frame * 80))
                terminal.drain()
            }
            func isClear() -> Bool {
                let samples = terminal.picture().samples(rows: Self.area.rows, columns: 14..<66)
                return samples?.luma.allSatisfy { abs(Int($0) - 128) < 25 } ?? false
            }
            #expect(!isClear())
            for second in 4..<8 {
                _ = screen.flush(to: device, at: .zero + .seconds(second))
                drive(&stage, &screen, device, from: .zero + .seconds(second))
                terminal.drain()
            }
            #expect(isClear())
            #expect(stage.deadline(screen) == nil)
        }
    }

    /// What stands in other rows by now is not waited for.
    @Test func aStageThatGaveRowsAwayRests() throws {
        try withStage { stage, screen, device, terminal, pictures in
            var picture = RGBPicture(width: 8, height: 8)
            picture.withMutableBytes { bytes in
                for index in bytes.indices { bytes[index] = 200 }
            }
            pictures.waiting["p1"] = picture
            stage.rang()
            drive(&stage, &screen, device, from: .zero + .seconds(1))
            terminal.drain()
            #expect(stage.deadline(screen) == nil)
            var surface = Surface(size: device.size)
            surface.leave(rows: 2..<12, toPicturesOn: .plain)
            _ = screen.draw(surface, on: device, at: .zero + .seconds(3))
            var tile = Self.tile("p1")
            tile.area.size.rows = 10
            stage.layOut([tile], size: device.size, cellShape: (1, 2))
            drive(&stage, &screen, device, from: .zero + .seconds(4))
            #expect(stage.deadline(screen) == nil)
        }
    }

    @Test func whoLeavesTheStageIsWipedOff() throws {
        try withStage { stage, screen, device, terminal, pictures in
            pictures.waiting["p1"] = RGBPicture(width: 8, height: 8)
            stage.rang()
            drive(&stage, &screen, device, from: .zero + .seconds(1))
            let before = screen.meter.bytes
            stage.layOut([Self.tile("p2")], size: device.size, cellShape: (1, 2))
            drive(&stage, &screen, device, from: .zero + .seconds(4))
            #expect(screen.meter.bytes > before)
            #expect(stage.deadline(screen) == nil)
        }
    }

    /// Draws for a virtual second, with a terminal that answers each frame.
    private func drive(
        _ stage: inout StageDriver, _ screen: inout CursesScreen, _ device: borrowing TerminalDevice,
        from start: MonoTime
    ) {
        for step in 0..<20 {
            _ = stage.draw(on: &screen, device, at: start + .milliseconds(step * 70))
            stage.answered(at: start + .milliseconds(step * 70 + 1))
        }
    }

    private func withStage(
        _ body: (inout StageDriver, inout CursesScreen, borrowing TerminalDevice, PseudoTerminal, MadePictures) throws
            ->
            Void
    ) throws {
        let terminal = try PseudoTerminal()
        let device = try TerminalDevice(path: terminal.path)
        let environment = TerminalEnvironment(term: "xterm-256color", isUTF8: true, noColor: false)
        var screen = try CursesScreen(environment: environment, size: device.size)
        defer { screen.leave(device) }
        let pictures = MadePictures()
        var stage = StageDriver(
            mode: PictureMode(glyphs: .quadrant, colors: .palette), background: .standard, rate: nil, pictures: pictures
        )
        var surface = Surface(size: device.size)
        surface.leave(rows: Self.area.rows, toPicturesOn: .plain)
        _ = screen.draw(surface, on: device, at: .zero)
        stage.layOut([Self.tile("p1")], size: device.size, cellShape: (1, 2))
        try body(&stage, &screen, device, terminal, pictures)
    }
}
