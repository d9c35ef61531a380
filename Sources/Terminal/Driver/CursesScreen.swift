import CNcurses
import FoundationEssentials
import Glibc
package import Primitives

/// Shows surfaces on a terminal through ncurses. For one thread, one screen at a time.
///
/// ncurses draws into a file in memory, and what it drew is written to the terminal without blocking. On the terminal
/// itself it would hang when nobody reads the pty and spin when the descriptor does not block. At most one frame waits
/// to be written: while it does, further ones are skipped, and the next one that is drawn is a diff against it.
package struct CursesScreen: ~Copyable {
    package enum Drawing: Hashable, Sendable {
        /// Everything has reached the terminal, or nothing had changed.
        case done
        /// The rest waits: poll for writability and call `flush`.
        case waiting
        /// The terminal has not taken the frame before; this one was not drawn.
        case skipped
        /// The terminal is gone.
        case lost
    }

    package let depth: ColorDepth
    /// Whether text outside ASCII is shown.
    package let isUTF8: Bool
    /// What the user should know about the terminal, if anything.
    package let notice: String?
    package private(set) var meter = OutputMeter()

    private let session: CursesSession
    private var pairs: ColorPairs?
    private var pen = PenTrimmer()
    private var shown: Surface
    private var waiting: ArraySlice<UInt8> = []
    private var isActive = false
    /// The rows that are left to pictures, and how often the screen's blanks were put into each row.
    private var pictureRows: [Range<Int>] = []
    private var generations: [Int] = []
    /// Whether the next frame paints over everything.
    private var isStale = false

    /// - Parameter size: the terminal's, from `TerminalDevice.size`.
    package init(environment: TerminalEnvironment, size: Size) throws(UserFacingError) {
        isUTF8 = environment.adoptLocale()
        session = try CursesSession.open(environment)
        notice =
            session.type == environment.term
            ? nil : "terminal type \"\(environment.term)\" is unknown here: drawing as for \(session.type)"
        let hasColors = has_colors() && start_color() == OK
        let described = environment.noColor || !hasColors ? .mono : ColorDepth(colorCount: Int(cncurses_colors()))
        let names = described == .palette256 && (environment.hasDirectColor || cncurses_shows_direct_color())
        depth = names ? .direct : described
        pairs = depth == .mono ? nil : ColorPairs(isDirect: described == .direct, names: names)
        shown = Surface(size: size)
        generations = Array(repeating: 0, count: size.rows)
        prepare(size: size)
    }

    /// Settings of the new screen. Nothing is read through ncurses: our own parser has the keys.
    private mutating func prepare(size: Size) {
        nonl()
        typeahead(-1)
        leaveok(cncurses_stdscr(), true)
        // Inserting and deleting would shift pictures.
        idcok(cncurses_stdscr(), false)
        curs_set(0)
        resizeterm(Int32(size.rows), Int32(size.columns))
        isActive = true
        waiting = ArraySlice(pen.trim(session.takeOutput()) + Self.modesOn)
    }

    /// Bracketed paste and focus events, and the questions whether frames can be shown at once and what is told of keys.
    private static let modesOn = Array("\u{1B}[?2004h\u{1B}[?1004h\u{1B}[?2026$p\u{1B}[?u".utf8)
    private static let modesOff = Array("\u{1B}[?2004l\u{1B}[?1004l".utf8)
    /// Reports of mouse buttons, in SGR's coding.
    private static let mouseOn = Array("\u{1B}[?1000h\u{1B}[?1006h".utf8)
    private static let mouseOff = Array("\u{1B}[?1000l\u{1B}[?1006l".utf8)

    /// Whether the terminal reports the mouse; else it selects text by it.
    private var takesMouse = false

    package mutating func take(mouse: Bool) {
        guard mouse != takesMouse else { return }
        takesMouse = mouse
        if isActive { waiting += mouse ? Self.mouseOn : Self.mouseOff }
    }

    /// Sounds the bell.
    package mutating func soundBell() {
        if isActive { waiting.append(7) }
    }

    /// Whether the terminal is to tell when a key is let go. Only for one that has answered `CSI ? u`; it answers once
    /// more then, as not every one tells all that it is asked to.
    package mutating func take(releases: Bool) {
        guard releases != takesReleases else { return }
        takesReleases = releases
        if isActive { waiting += releases ? Self.releasesOn : Self.releasesOff }
    }

    private var takesReleases = false
    /// Pushes flags 1 and 2, or takes them back. Each screen of a terminal has flags of its own.
    private static let releasesOn = Array("\u{1B}[>3u\u{1B}[?u".utf8)
    private static let releasesOff = Array("\u{1B}[<u".utf8)

    /// What is switched on beside the screen itself, or off again.
    private var modesOn: [UInt8] {
        Self.modesOn + (takesMouse ? Self.mouseOn : []) + (takesReleases ? Self.releasesOn : [])
    }
    private var modesOff: [UInt8] {
        Self.modesOff + (takesMouse ? Self.mouseOff : []) + (takesReleases ? Self.releasesOff : [])
    }

    /// Whether the terminal shows a frame at once where it is told to (mode 2026): nothing is seen half drawn.
    package var synchronizes = false
    private static let frameBegins = Array("\u{1B}[?2026h".utf8)
    private static let frameEnds = Array("\u{1B}[?2026l".utf8)

    private func framed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        (synchronizes && !bytes.isEmpty ? Self.frameBegins + bytes + Self.frameEnds : bytes)[...]
    }

    /// Whether a frame waits for the terminal.
    package var wantsToWrite: Bool { !waiting.isEmpty }

    /// Draws `surface`. Its size decides the screen's, so a changed one is drawn whole.
    package mutating func draw(_ surface: Surface, on device: borrowing TerminalDevice, at now: MonoTime) -> Drawing {
        if wantsToWrite {
            let drawing = flush(to: device, at: now)
            guard drawing == .done else {
                if drawing == .waiting { meter.skipped() }
                return drawing == .waiting ? .skipped : drawing
            }
        }
        if surface.size != shown.size { resize(to: surface.size) }
        let visible = isUTF8 ? surface : surface.asciiOnly()
        pictureRows = visible.pictureRows
        if isStale { for row in generations.indices { generations[row] += 1 } }
        isStale = false
        paint(visible)
        place(cursor: visible.cursor, focus: visible.focus)
        wnoutrefresh(cncurses_stdscr())
        doupdate()
        shown = visible
        let drawn = session.takeOutput()
        waiting = framed(pen.trim(pairs?.naming(drawn) ?? drawn))
        if wantsToWrite { meter.drew() }
        return flush(to: device, at: now)
    }

    /// Draws the whole screen again at the next frame, after something else wrote on it.
    package mutating func redrawAll() {
        isStale = true
        pen.forget()
        clearok(cncurses_curscr(), true)
    }

    /// Brings the pictures in the rows that the last frame left to them up to date, at most about `limit` bytes of them,
    /// and asks the terminal to answer when it has drawn them (`asks`). ncurses knows nothing of it: the cursor and the
    /// colours are as before.
    ///
    /// - Returns: The bytes of the frame; 0: nothing was to be drawn, or something else has to be drawn first, and
    ///   nothing was asked.
    package mutating func draw(
        _ canvas: inout PictureCanvas, limit: Int, asks: Bool, on device: borrowing TerminalDevice, at now: MonoTime
    ) -> (drawing: Drawing, count: Int) {
        guard isReady(for: canvas) else { return (.skipped, 0) }
        for row in generations.indices where canvas.generations[row] != generations[row] {
            canvas.generations[row] = generations[row]
            canvas.forget(row)
        }
        var frame = Self.saveCursor
        canvas.write(rows: pictureRows, limit: limit, to: &frame)
        guard frame.count > Self.saveCursor.count else { return (.done, 0) }
        frame += Self.restoreCursor
        waiting = framed(frame) + (asks ? Self.question : [])
        meter.drew()
        let count = waiting.count
        return (flush(to: device, at: now), count)
    }

    /// Whether pictures can be drawn now: nothing waits to be written, and the screen itself need not come first.
    package func isReady(for canvas: PictureCanvas) -> Bool {
        isActive && !wantsToWrite && !isStale && canvas.size == shown.size
    }

    /// Whether the terminal shows all of `canvas` that there is room for.
    package func shows(_ canvas: PictureCanvas) -> Bool {
        pictureRows.isEmpty
            || canvas.generations == generations && !isStale && canvas.isShown(rows: pictureRows)
    }

    /// Asks the terminal to answer (`InputEvent.ready`) when it has drawn everything so far.
    package mutating func ask(_ device: borrowing TerminalDevice, at now: MonoTime) -> Drawing {
        guard isActive, !wantsToWrite else { return .skipped }
        waiting = Self.question[...]
        return flush(to: device, at: now)
    }

    /// DECSC and DECRC keep the cursor's place and the colours; DSR asks for the terminal's state.
    private static let saveCursor = Array("\u{1B}7".utf8)
    private static let restoreCursor = Array("\u{1B}8".utf8)
    private static let question = Array("\u{1B}[5n".utf8)

    /// The longest text for a clipboard; terminals have limits of their own beyond it.
    package static let clipboardLimit = 4096

    /// Sends `text` to the terminal's clipboard (OSC 52), after what waits. Whether the terminal takes it cannot be known.
    /// No multiplexer is tunnelled through: tmux takes the plain sequence where its `set-clipboard` is on.
    package mutating func copy(_ text: String) {
        guard isActive, text.utf8.count <= Self.clipboardLimit else { return }
        waiting += Array("\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}".utf8)
    }

    /// Writes what waits, as far as the terminal takes it.
    package mutating func flush(to device: borrowing TerminalDevice, at now: MonoTime) -> Drawing {
        while !waiting.isEmpty {
            guard let count = device.write(waiting) else { return .lost }
            guard count > 0 else { return .waiting }
            waiting = waiting.dropFirst(count)
            meter.wrote(count, at: now)
        }
        waiting = []
        return .done
    }

    /// Gives the terminal back as it was found, for a while or for good. What a stuck terminal does not take within
    /// `limit` is not waited for.
    package mutating func leave(_ device: borrowing TerminalDevice, within limit: Duration = .milliseconds(200)) {
        guard isActive else { return }
        isActive = false
        endwin()
        waiting += modesOff + pen.trim(session.takeOutput()) + pen.finish()
        writeOut(to: device, within: limit)
        waiting = []
        device.restore()
        CrashGuard.disarm()
    }

    /// Takes the terminal again after `leave`.
    package mutating func enter(_ device: borrowing TerminalDevice) {
        guard !isActive else { return }
        isActive = true
        device.rearm()
        device.enterRaw()
        // The terminal's other screen first: some modes are a screen's own.
        doupdate()
        waiting = ArraySlice(pen.trim(session.takeOutput()) + modesOn)
        redrawAll()
    }

    private mutating func writeOut(to device: borrowing TerminalDevice, within limit: Duration) {
        let deadline = MonoTime.now() + limit
        while !waiting.isEmpty, let count = device.write(waiting) {
            waiting = waiting.dropFirst(count)
            let left = deadline - MonoTime.now()
            guard left > .zero, waiting.isEmpty || device.waitUntilWritable(within: left) else { return }
        }
    }

    private mutating func resize(to size: Size) {
        resizeterm(Int32(size.rows), Int32(size.columns))
        shown = Surface(size: size)
        generations = Array(repeating: 0, count: size.rows)
        werase(cncurses_stdscr())
        redrawAll()
    }

    private mutating func paint(_ surface: Surface) {
        let window = cncurses_stdscr()
        var scalars = [wchar_t](repeating: 0, count: DisplayWidth.markLimit + 2)
        for index in surface.cells.indices where surface.cells[index] != shown.cells[index] || shown.cells[index].isTail
        {
            let cell = surface.cells[index]
            guard !cell.isTail else { continue }
            var count = 0
            for scalar in cell.text.unicodeScalars.prefix(DisplayWidth.markLimit + 1) {
                scalars[count] = wchar_t(scalar.value)
                count += 1
            }
            scalars[count] = 0
            let width = index + 1 < surface.cells.count && surface.cells[index + 1].isTail ? 2 : 1
            // Where the C library disagrees on the width, ncurses would shift the row.
            if isUTF8, count > 0, scalars[0] > 0x7F, cncurses_width(scalars[0]) != width {
                (scalars[0], scalars[1]) = (0x3F, 0)
            }
            let style = cell.style.reduced(to: depth)
            // Pictures have to be painted, too, where blanks are put.
            if style.attributes.contains(.pictured) { generations[index / surface.size.columns] += 1 }
            let (row, column) = index.quotientAndRemainder(dividingBy: surface.size.columns)
            let pair = pairs?.number(for: style) ?? 0
            cncurses_put(window, Int32(row), Int32(column), &scalars, style.attributes.curses, pair)
        }
    }

    private func place(cursor: Position?, focus: Position?) {
        let window = cncurses_stdscr()
        leaveok(window, cursor == nil && focus == nil)
        curs_set(cursor == nil ? 0 : 1)
        if let cursor = cursor ?? focus { wmove(window, Int32(cursor.row), Int32(cursor.column)) }
    }
}

extension Style.Attributes {
    /// The attributes in ncurses' bits.
    fileprivate var curses: attr_t {
        var bits: UInt32 = 0
        if contains(.bold) { bits |= UInt32(CNCURSES_BOLD) }
        if contains(.dim) { bits |= UInt32(CNCURSES_DIM) }
        if contains(.underline) { bits |= UInt32(CNCURSES_UNDERLINE) }
        if contains(.reverse) { bits |= UInt32(CNCURSES_REVERSE) }
        if contains(.pictured) { bits |= UInt32(CNCURSES_INVISIBLE) }
        return attr_t(bits)
    }
}
