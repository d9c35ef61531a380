import ControlProtocol
package import Primitives
package import Terminal

/// Brings pictures to the terminal: tells what is wanted, and draws the newest ones whenever the terminal is ready for a
/// frame. For the console's thread.
package struct StageDriver {
    private let pictures: any StagePictures
    private let mode: PictureMode
    /// What stands beside the pictures.
    package var background: Color {
        // The next layout finds a canvas of another size and makes it anew.
        didSet { if background != oldValue { canvas = Self.emptyCanvas(mode, background) } }
    }
    private var pacer: FramePacer
    private var canvas: PictureCanvas
    private var tiles: [StageTile] = []
    private var cellShape = (width: 1, height: 2)
    /// The last picture of each tile, and the size that it had at its source.
    private var latest: [String: RGBPicture] = [:]
    private var shapes: [String: VideoShape] = [:]
    /// Whether there may be pictures that were not taken yet, and whether they have just come.
    private var isFresh = false
    private var isNew = false
    /// So long after the last picture what stands still may be made nearer.
    private static let stillness = Duration.milliseconds(250)
    private var stillFrom = MonoTime.zero

    private struct VideoShape: Equatable {
        var width = 16
        var height = 9
    }

    /// - Parameter rate: bytes a second that pictures may take at most; `nil`: what the terminal acknowledges.
    package init(mode: PictureMode, background: Color, rate: Int?, pictures: any StagePictures) {
        (self.mode, self.background, self.pictures) = (mode, background, pictures)
        pacer = FramePacer(rate: rate)
        canvas = Self.emptyCanvas(mode, background)
    }

    private static func emptyCanvas(_ mode: PictureMode, _ background: Color) -> PictureCanvas {
        PictureCanvas(mode: mode, size: Size(rows: 0, columns: 0), background: background)
    }

    /// For `poll`: call `rang` when it is readable.
    package var descriptor: Int32 { pictures.descriptor }

    /// How the frames go.
    package var pacing: FramePacer { pacer }

    package mutating func rang() {
        pictures.quiet()
        (isFresh, isNew) = (true, true)
    }

    /// The terminal has drawn everything so far.
    package mutating func answered(at now: MonoTime) {
        pacer.answered(at: now)
    }

    /// When `draw` has something to do by itself.
    package func deadline(_ screen: borrowing CursesScreen) -> MonoTime? {
        guard screen.isReady(for: canvas), let due = pacer.deadline else { return nil }
        if isFresh || !screen.shows(canvas) { return due }
        return canvas.isRough ? max(due, stillFrom) : nil
    }

    /// The screen was laid out: pictures stand in `tiles` from now on.
    package mutating func layOut(_ tiles: [StageTile], size: Size, cellShape: (width: Int, height: Int)) {
        let isNew = canvas.size != size
        if isNew { canvas = PictureCanvas(mode: mode, size: size, background: background) }
        guard isNew || tiles != self.tiles || cellShape != self.cellShape else { return }
        for tile in self.tiles where !isNew { canvas.clear(tile.area) }
        (self.tiles, self.cellShape) = (tiles, cellShape)
        let ids = Set(tiles.map(\.id))
        latest = latest.filter { ids.contains($0.key) }
        shapes = shapes.filter { ids.contains($0.key) }
        for tile in tiles { show(tile) }
        wish()
    }

    /// Draws what is new as far as the terminal is ready for it.
    package mutating func draw(
        on screen: inout CursesScreen, _ device: borrowing TerminalDevice, at now: MonoTime
    ) -> CursesScreen.Drawing {
        pacer.tick(at: now)
        defer { isNew = false }
        let isStill = canvas.isRough && now >= stillFrom
        guard screen.isReady(for: canvas), isFresh || isStill || !screen.shows(canvas) else { return .done }
        switch pacer.step(at: now, isNew: isNew) {
        case .wait: return .done
        case .ask:
            let drawing = screen.ask(device, at: now)
            if drawing == .done || drawing == .waiting { pacer.asked(at: now) }
            return drawing
        case .draw(let limit, let asks):
            if isFresh {
                takePictures()
                stillFrom = now + Self.stillness
            } else if isStill {
                for tile in tiles { show(tile) }
            }
            let (drawing, count) = screen.draw(&canvas, limit: limit, asks: asks, on: device, at: now)
            if count > 0 {
                pacer.drew(count, asks: asks, isWhole: screen.shows(canvas), at: now)
            } else if isStill {
                stillFrom = now + FramePacer.interval
            }
            return drawing
        }
    }

    private mutating func takePictures() {
        isFresh = false
        var hasNewShape = false
        for tile in tiles {
            let size = pictures.take(tile.id, into: &latest[tile.id, default: RGBPicture(width: 0, height: 0)])
            guard let size else { continue }
            let shape = VideoShape(width: size.width, height: size.height)
            if shape != shapes[tile.id] {
                shapes[tile.id] = shape
                canvas.clear(tile.area)
                hasNewShape = true
            }
            show(tile)
        }
        if hasNewShape { wish() }
    }

    private mutating func show(_ tile: StageTile) {
        guard let picture = latest[tile.id] else { return }
        canvas.show(picture, in: box(of: tile), isMirrored: tile.isMirrored)
    }

    private func box(of tile: StageTile) -> CellArea {
        let shape = shapes[tile.id] ?? VideoShape()
        return tile.area.letterboxed(width: shape.width, height: shape.height, cellShape: cellShape)
    }

    /// Pictures in exactly the samples that the tiles have.
    private func wish() {
        pictures.want(
            tiles.map { tile in
                let (width, height) = mode.sampleSize(of: box(of: tile).size)
                return VideoWish(participant: tile.id, width: width, height: height)
            })
    }
}
