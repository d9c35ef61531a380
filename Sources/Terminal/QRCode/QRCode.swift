import CQrencode

/// A QR code (ISO/IEC 18004) as its square of modules, without the quiet zone.
package struct QRCode: Hashable, Sendable {
    /// Modules a side.
    package let width: Int
    private let modules: [Bool]

    /// Encodes `text` as bytes, with the lowest level of error correction: a screen has no dirt, but few cells. `nil`:
    /// it is empty or longer than a code can be.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        // The lowest bit of each module tells its colour; the others what it is for.
        modules = UnsafeBufferPointer(start: code.pointee.data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; light outside the code.
    package func isDark(row: Int, column: Int) -> Bool {
        (0..<width).contains(row) && (0..<width).contains(column) && modules[row * width + column]
    }
}
