package import Terminal

/// Which panel stands where: a pure function of the size and of how much there is to show.
///
/// When the screen is too small, panels give way in a fixed order: more than one message, the second key line, the loss
/// panel, the first key line, the last message, people beyond the selected one, the header. The microphone line is the
/// last to go.
package struct ScreenLayout: Hashable, Sendable {
    package var header: Int?
    package var microphone = 0
    /// The first row of the people panel, its title included, and its height.
    package var people: Range<Int>?
    package var loss: Range<Int>?
    package var messages: Range<Int>?
    package var keyLines: Range<Int>?

    /// Rows of the loss panel, its title included.
    static let lossHeight = 8
    /// Title, heading, both streams and two lines more.
    static let leastLossHeight = 6

    /// - Parameters:
    ///   - peopleCount: rows of the people panel.
    ///   - showsLoss: whether there is anybody whose loss could be shown.
    package init(size: Size, peopleCount: Int, showsLoss: Bool) {
        var parts = Parts(people: peopleCount + 1, loss: showsLoss ? Self.lossHeight : 0)
        parts.shrink(to: size.rows)
        var row = 0
        func take(_ height: Int) -> Range<Int>? {
            guard height > 0 else { return nil }
            defer { row += height }
            return row..<row + height
        }
        header = take(parts.header)?.lowerBound
        microphone = take(1)?.lowerBound ?? 0
        people = take(parts.people)
        // A blank row between panels where there is room.
        if parts.loss > 0, parts.total + 2 <= size.rows { row += 1 }
        loss = take(parts.loss)
        let rest = size.rows - row - parts.keys
        messages = take(rest)
        keyLines = take(parts.keys)
    }

    /// Heights while they are being fitted.
    private struct Parts {
        var header = 1
        var people: Int
        var loss: Int
        var messages = 3
        var keys = 2

        var total: Int {
            header + 1 + people + loss + messages + keys
        }

        mutating func shrink(to rows: Int) {
            func isTooTall(_ parts: Parts) -> Bool { parts.total > rows }
            while isTooTall(self), messages > 1 { messages -= 1 }
            if isTooTall(self) { keys = 1 }
            if isTooTall(self), loss > ScreenLayout.leastLossHeight {
                loss = max(ScreenLayout.leastLossHeight, loss - (total - rows))
            }
            if isTooTall(self) { loss = 0 }
            // What the loss panel left goes back to the second key line.
            if loss == 0, keys == 1, total + 1 <= rows { keys = 2 }
            if isTooTall(self), people > 3 { people = max(3, people - (total - rows)) }
            if isTooTall(self) { keys = 0 }
            if isTooTall(self) { messages = 0 }
            while isTooTall(self), people > 0 { people -= 1 }
            if isTooTall(self) { header = 0 }
        }
    }
}
