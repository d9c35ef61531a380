import CThemes

/// The source tree's `themes/` as they are in the binary.
enum EmbeddedThemes {
    static let names = files.map { String(cString: $0.name) }

    /// The bytes of the theme called `name`.
    static func bytes(of name: String) -> [UInt8]? {
        files.first { String(cString: $0.name) == name }
            .map { Array(UnsafeBufferPointer(start: $0.bytes, count: $0.size)) }
    }

    private static var files: UnsafeBufferPointer<theme_file> {
        UnsafeBufferPointer(start: theme_files, count: theme_file_count)
    }
}
