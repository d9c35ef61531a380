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
        try files(in: folder).filter { $0.hasSuffix(".swift") }.map { path in
            let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            return File(path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    /// All files below `folder`, hidden ones left out, relative to the root.
    func files(in folder: String) throws -> [String] {
        let base = root.appendingPathComponent(folder).path
        return try FileManager.default.subpathsOfDirectory(atPath: base).sorted().compactMap { name in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(base)/\(name)", isDirectory: &isFolder) else { return nil }
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            return isFolder.boolValue || isHidden ? nil : "\(folder)/\(name)"
        }
    }

    /// The folders directly below `Sources`.
    func modules() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Sources").path).sorted()
    }
}
