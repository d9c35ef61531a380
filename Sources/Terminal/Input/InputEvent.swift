/// What arrives from a terminal.
package enum InputEvent: Hashable, Sendable {
    case key(Key)
    /// A key was let go, where the terminal tells.
    case release(Key)
    /// Text between the marks of bracketed paste, line ends as `\n`.
    case paste(String)
    /// The terminal's window gained or lost the focus.
    case focus(Bool)
    /// The left button of the mouse was pressed there.
    case click(Position)
    /// The mouse's wheel was turned there, by so many notches down.
    case wheel(Int, Position)
    /// The answer to `CSI 5 n`: everything written before the question has been drawn.
    case ready
    /// The answer to `CSI ? 2026 $ p`: whether the terminal shows what stands between two marks at once.
    case synchronizes(Bool)
    /// The answer to `CSI ? u` of a terminal that can tell more of keys: what it tells now, as `KeyboardFlags`.
    case keyboard(KeyboardFlags)
}
