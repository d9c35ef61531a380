import Terminal

/// Where the rows of the people panel stand: one below the other, and in a large call on a wide screen in several blocks
/// side by side, each filled before the next.
struct PeopleGrid: Hashable {
    /// The narrowest block beside another, and the most people that have one to themselves.
    private static let leastWidth = 120
    private static let mostAlone = 16
    /// The widest block: a longer meter tells no more.
    private static let mostWidth = 200

    let blockCount: Int
    let blockWidth: Int

    /// - Parameters:
    ///   - columns: of the screen.
    ///   - count: how many rows there are to show.
    init(columns: Int, count: Int) {
        let wanted = (count + Self.mostAlone - 1) / Self.mostAlone
        blockCount = max(1, min(columns / Self.leastWidth, wanted))
        blockWidth = min(columns / blockCount, Self.mostWidth)
    }

    init(_ model: ConsoleModel, columns: Int) {
        self.init(columns: columns, count: Self.rowCount(model))
    }

    /// The people, those who are rung, and a row for those who wait.
    static func rowCount(_ model: ConsoleModel) -> Int {
        model.shownRows.count + model.rungNames.count + (model.waitingNames.isEmpty ? 0 : 1)
    }

    /// The rows that `count` people take.
    func height(_ count: Int) -> Int {
        (count + blockCount - 1) / blockCount
    }

    /// Where the row with that index stands below the title of a panel in `rows`, and where its block begins.
    func place(_ index: Int, rows: Range<Int>) -> Position {
        let (block, offset) = index.quotientAndRemainder(dividingBy: max(1, rows.count - 1))
        return Position(row: rows.lowerBound + 1 + offset, column: block * blockWidth)
    }

    /// The index of the row at `position`; `nil`: it is on the title or beside the blocks.
    func index(at position: Position, rows: Range<Int>) -> Int? {
        let offset = position.row - rows.lowerBound - 1
        let block = position.column / max(1, blockWidth)
        guard offset >= 0, position.row < rows.upperBound, block < blockCount else { return nil }
        return block * (rows.count - 1) + offset
    }

    /// Where the columns of a block are, from its first.
    var columns: Columns { Columns(width: blockWidth) }

    struct Columns: Hashable {
        static let name = 5
        let nameWidth: Int
        let state: Int
        let stateWidth: Int
        let meter: Int
        let meterWidth: Int
        /// Where the last ten seconds are; `nil`: there is no room.
        let talk: Int?
        /// Ends of the right-aligned figures; `nil`: there is no room.
        let level: Int
        let from: Int?
        let to: Int?
        let roundTrip: Int?

        init(width: Int) {
            let step = width >= 100 ? 10 : 7
            let figures = width >= 76 ? 3 * step + 1 : width >= 60 ? step + 1 : 0
            nameWidth = width >= 160 ? 28 : width >= 100 ? 16 : width >= 50 ? 12 : 8
            state = Self.name + nameWidth + 1
            stateWidth = width >= 160 ? 32 : width >= 100 ? 16 : width >= 76 ? 13 : width >= 36 ? 9 : 0
            meter = state + stateWidth + (stateWidth > 0 ? 1 : 0)
            let end = width - figures
            talk = width >= 120 ? end - 6 - TalkHistory.seconds : nil
            meterWidth = max(0, (talk.map { $0 - 1 } ?? end - 6) - meter)
            level = end
            from = figures > 0 ? end + step : nil
            to = figures > step + 1 ? end + 2 * step : nil
            roundTrip = figures > step + 1 ? end + 3 * step : nil
        }
    }
}
