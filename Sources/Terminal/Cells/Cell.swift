/// One character cell: a grapheme and its look. The second cell of a wide grapheme is a `tail`.
package struct Cell: Hashable, Sendable {
    /// What is shown: one printable base and its combining marks.
    package var text: Character
    package var style: Style
    /// Whether the cell is covered by the wide grapheme to its left.
    package var isTail: Bool

    package init(_ text: Character = " ", style: Style = .plain, isTail: Bool = false) {
        self.text = text
        self.style = style
        self.isTail = isTail
    }
}
