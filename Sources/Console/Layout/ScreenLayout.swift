package import Terminal

/// Which panel stands where: a pure function of the size and of how much there is to show.
///
/// When the screen is too small, panels give way in a fixed order: more than one message, what the loss panel has beyond
/// its normal height, the second key line, the rest of the loss panel beyond its least, the stage, the loss panel, people
/// beyond as many as a room takes, the first key line, people beyond the selected one and a neighbour, the last message,
/// which says why a key did nothing, the header, the last people. The microphone line is never given up. A stage with
/// pictures gets all the room that is left.
package struct ScreenLayout: Hashable, Sendable {
    package var header: Int?
    package var microphone = 0
    /// The first row of the people panel, its title included, and its height.
    package var people: Range<Int>?
    package var stage: Range<Int>?
    package var loss: Range<Int>?
    package var messages: Range<Int>?
    package var keyLines: Range<Int>?

    /// Rows of the loss panel, its title included, that it has wherever everything else has its place.
    static let normalLossHeight = 8
    /// Title, heading, both streams and two lines more.
    static let leastLossHeight = 6
    /// Rows of the people panel with as many as a room takes, its title included, and with the selected one and another.
    static let roomfulHeight = 9
    static let leastPeopleHeight = 3

    /// - Parameters:
    ///   - peopleCount: rows of the people panel below its title.
    ///   - lossHeight: rows that the loss panel would fill, its title included; 0: there is nobody to show it of.
    ///   - stage: what the stage asks for.
    ///   - zoomed: the panel that has the others' room; a stage leaves the people theirs.
    package init(
        size: Size, peopleCount: Int, lossHeight: Int, stage wish: StageWish = StageWish(), zoomed: Panel? = nil
    ) {
        var parts = Parts(people: peopleCount + 1, stage: wish.leastHeight, loss: wish.isLarge ? 0 : lossHeight)
        if wish.isLarge { (parts.messages, parts.keys) = (1, 1) }
        if let zoomed, zoomed != .stage { parts.give(size.rows, to: zoomed) }
        parts.shrink(to: size.rows)
        if wish.grows, parts.stage > 0 { parts.stage += max(0, size.rows - parts.total) }
        var row = 0
        func take(_ height: Int) -> Range<Int>? {
            guard height > 0 else { return nil }
            defer { row += height }
            return row..<row + height
        }
        // A blank row before each of the lower panels where there is room for all of them.
        let gap = parts.loss > 0 && parts.total + 2 <= size.rows ? 1 : 0
        header = take(parts.header)?.lowerBound
        microphone = take(1)?.lowerBound ?? 0
        people = take(parts.people)
        row += gap
        stage = take(parts.stage)
        loss = take(parts.loss)
        row += gap
        messages = take(size.rows - row - parts.keys)
        keyLines = take(parts.keys)
    }

    /// The most that the loss panel can have without taking from the others.
    static func roomForLoss(size: Size, peopleCount: Int, stage wish: StageWish = StageWish()) -> Size {
        let parts = Parts(people: peopleCount + 1, stage: wish.leastHeight, loss: 0)
        return Size(rows: size.rows - parts.total, columns: size.columns)
    }

    /// What the stage asks for.
    package struct StageWish: Hashable, Sendable {
        /// Rows, its title included; 0: there is none.
        var leastHeight = 0
        /// Whether it has use for more.
        var grows = false
        /// Whether the other panels are to make room.
        var isLarge = false
    }

    /// Heights while they are being fitted. The messages have what is left over.
    private struct Parts {
        var header = 1
        var people: Int
        var stage: Int
        var loss: Int
        var messages = 3
        var keys = 2

        var total: Int {
            header + 1 + people + stage + loss + messages + keys
        }

        /// Leaves nothing to the other panels.
        mutating func give(_ rows: Int, to panel: Panel) {
            (people, stage, loss, messages, keys) = (0, 0, 0, 0, 1)
            let room = max(0, rows - header - 1 - keys)
            switch panel {
            case .people: people = room
            case .loss: loss = room
            case .stage, .messages: messages = room
            }
        }

        mutating func shrink(to rows: Int) {
            func isTooTall(_ parts: Parts) -> Bool { parts.total > rows }
            while isTooTall(self), messages > 1 { messages -= 1 }
            while isTooTall(self), loss > ScreenLayout.normalLossHeight { loss -= 1 }
            if isTooTall(self) { keys = 1 }
            while isTooTall(self), loss > ScreenLayout.leastLossHeight { loss -= 1 }
            // A stage too low for a picture still says so.
            if isTooTall(self), stage > 1 { stage = 1 }
            if isTooTall(self) { stage = 0 }
            if isTooTall(self) { loss = 0 }
            // What the loss panel left goes back to the second key line.
            if loss == 0, keys == 1, total + 1 <= rows { keys = 2 }
            while isTooTall(self), people > ScreenLayout.roomfulHeight { people -= 1 }
            if isTooTall(self) { keys = 0 }
            while isTooTall(self), people > ScreenLayout.leastPeopleHeight { people -= 1 }
            if isTooTall(self) { messages = 0 }
            if isTooTall(self) { header = 0 }
            while isTooTall(self), people > 0 { people -= 1 }
        }
    }
}
