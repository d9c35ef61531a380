import Foundation

/// The tree that these tests belong to, as text.
struct SourceTree {
    struct File {
        /// Relative to the root: `Sources/RTP/Packet/RTPPacket.swift`.
        let path: String
        let lines: [Substring]

        /// The folder below `Sources` or `Tests`.
        var module: String {
            let parts = path.split(separator: "/")
            return parts.count > 2 ? String(parts[1]) : ""
        }
    }

    let root: URL

    init(testFile: StaticString = #filePath) {
        root = URL(fileURLWithPath: "\(testFile)").deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// The Swift files below `folder`.
    func swiftFiles(in folder: String) throws -> [File] {
        let base = root.appendingPathComponent(folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { $0.hasSuffix(".swift") }
        return try names.sorted().map { name in
            let text = try String(contentsOf: base.appendingPathComponent(name), encoding: .utf8)
            return File(
                path: "\(folder)/\(name)", lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    /// The folders directly below `Sources`.
    func modules() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Sources").path).sorted()
    }
}
