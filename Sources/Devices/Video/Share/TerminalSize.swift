package import MediaEngine
import Primitives

/// Size of a shared terminal, in cells.
package struct TerminalSize: Hashable, Sendable, BitwiseCopyable {
    package static let standard = TerminalSize(columns: 80, rows: 24)

    package let columns: Int
    package let rows: Int

    /// What is out of 20×6…240×80 is brought into it.
    package init(columns: Int, rows: Int) {
        self.columns = columns.clamped(to: 20...240)
        self.rows = rows.clamped(to: 6...80)
    }

    /// The picture of it; its height is even.
    package var pixels: VideoSize {
        VideoSize(width: columns * BitmapFont.width, height: (rows * BitmapFont.height + 1) & ~1)
    }
}
