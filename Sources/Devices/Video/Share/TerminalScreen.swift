import CVterm

/// What a terminal shows, kept by libvterm from the bytes that a program writes. Used on one thread.
///
/// A class, since the library holds a pointer to it for its callbacks.
final class TerminalScreen {
    private(set) var size: TerminalSize
    /// What the terminal answers to questions of the program, to be written to it.
    private(set) var replies: [UInt8] = []
    private let terminal: OpaquePointer
    private let screen: OpaquePointer
    /// The columns of each row that are not drawn yet.
    private var dirty: [Range<Int>?]
    private var cursor: (row: Int, column: Int) = (0, 0)
    private var isCursorVisible = true

    /// `nil`: there is no memory for it.
    init?(_ size: TerminalSize) {
        guard let terminal = vterm_new(Int32(size.rows), Int32(size.columns)) else { return nil }
        guard let screen = vterm_obtain_screen(terminal) else {
            vterm_free(terminal)
            return nil
        }
        self.size = size
        self.terminal = terminal
        self.screen = screen
        dirty = Array(repeating: 0..<size.columns, count: size.rows)
        vterm_set_utf8(terminal, 1)
        cvterm_set_default_colors(terminal, 0xd8d8d8, 0x101418)
        vterm_screen_enable_altscreen(screen, 1)
        vterm_screen_set_damage_merge(screen, VTERM_DAMAGE_ROW)
        let user = Unmanaged.passUnretained(self).toOpaque()
        vterm_output_set_callback(terminal, takeTerminalReply, user)
        vterm_screen_set_callbacks(screen, terminalCallbacks.table, user)
        vterm_screen_reset(screen, 1)
        markAll()
    }

    deinit {
        vterm_free(terminal)
    }

    /// Takes what the program wrote; a character may be cut anywhere.
    func write(_ bytes: some Sequence<UInt8>) {
        let characters = bytes.map { CChar(bitPattern: $0) }
        _ = vterm_input_write(terminal, characters, characters.count)
        vterm_screen_flush_damage(screen)
    }

    func resize(_ size: TerminalSize) {
        guard size != self.size else { return }
        self.size = size
        vterm_set_size(terminal, Int32(size.rows), Int32(size.columns))
        vterm_screen_flush_damage(screen)
        markAll()
    }

    /// Takes the answers that were not taken yet.
    func takeReplies() -> [UInt8] {
        defer { replies = [] }
        return replies
    }

    var isDirty: Bool {
        dirty.contains { $0 != nil }
    }

    /// Takes the cells that changed since the last call: for each row, a range of columns.
    func takeDirty() -> [(row: Int, columns: Range<Int>)] {
        let taken = dirty.enumerated().compactMap { row, columns in columns.map { (row: row, columns: $0) } }
        dirty = Array(repeating: nil, count: size.rows)
        return taken
    }

    /// One cell, as it is drawn: the cursor is a cell with its colours exchanged.
    func cell(row: Int, column: Int) -> cvterm_cell {
        var cell = cvterm_cell()
        guard cvterm_get_cell(screen, Int32(row), Int32(column), &cell) != 0 else { return cell }
        if isCursorVisible, cursor == (row, column) { swap(&cell.foreground, &cell.background) }
        return cell
    }

    // MARK: What the library tells

    fileprivate func damage(_ area: VTermRect) {
        let columns = Int(area.start_col)..<max(Int(area.start_col), Int(area.end_col))
        let whole = 0..<size.columns
        for row in Int(area.start_row)..<max(Int(area.start_row), Int(area.end_row)) where dirty.indices.contains(row) {
            mark(row, columns.clamped(to: whole))
        }
    }

    fileprivate func moveCursor(to place: VTermPos) {
        markCursor()
        cursor = (Int(place.row), Int(place.col))
        markCursor()
    }

    fileprivate func set(_ property: VTermProp, _ value: UnsafePointer<VTermValue>) {
        if property == VTERM_PROP_CURSORVISIBLE {
            isCursorVisible = cvterm_boolean(value) != 0
            markCursor()
        } else if property == VTERM_PROP_REVERSE || property == VTERM_PROP_ALTSCREEN {
            markAll()
        }
    }

    /// A program that asks and asks and never reads is answered no more.
    fileprivate func reply(_ bytes: UnsafeBufferPointer<CChar>) {
        guard replies.count < 65536 else { return }
        replies += bytes.map { UInt8(bitPattern: $0) }
    }

    private func markCursor() {
        guard dirty.indices.contains(cursor.row), (0..<size.columns).contains(cursor.column) else { return }
        mark(cursor.row, cursor.column..<cursor.column + 1)
    }

    private func markAll() {
        dirty = Array(repeating: 0..<size.columns, count: size.rows)
    }

    private func mark(_ row: Int, _ columns: Range<Int>) {
        guard !columns.isEmpty else { return }
        let known = dirty[row] ?? columns
        dirty[row] = min(known.lowerBound, columns.lowerBound)..<max(known.upperBound, columns.upperBound)
    }
}

/// The library keeps a pointer to this table for as long as any screen lives.
private struct TerminalCallbacks: @unchecked Sendable {
    // unchecked: never written after it was made.
    let table: UnsafeMutablePointer<VTermScreenCallbacks>

    init() {
        table = .allocate(capacity: 1)
        var callbacks = VTermScreenCallbacks()
        callbacks.damage = takeTerminalDamage
        callbacks.movecursor = takeTerminalCursor
        callbacks.settermprop = takeTerminalProperty
        table.initialize(to: callbacks)
    }
}

private let terminalCallbacks = TerminalCallbacks()

private func screen(_ user: UnsafeMutableRawPointer?) -> TerminalScreen? {
    user.map { Unmanaged<TerminalScreen>.fromOpaque($0).takeUnretainedValue() }
}

private func takeTerminalDamage(_ area: VTermRect, _ user: UnsafeMutableRawPointer?) -> Int32 {
    screen(user)?.damage(area)
    return 1
}

private func takeTerminalCursor(
    _ place: VTermPos, _ before: VTermPos, _ isVisible: Int32, _ user: UnsafeMutableRawPointer?
) -> Int32 {
    screen(user)?.moveCursor(to: place)
    return 1
}

private func takeTerminalProperty(
    _ property: VTermProp, _ value: UnsafeMutablePointer<VTermValue>?, _ user: UnsafeMutableRawPointer?
) -> Int32 {
    if let value { screen(user)?.set(property, value) }
    return 1
}

private func takeTerminalReply(_ bytes: UnsafePointer<CChar>?, _ count: Int, _ user: UnsafeMutableRawPointer?) {
    screen(user)?.reply(UnsafeBufferPointer(start: bytes, count: count))
}
