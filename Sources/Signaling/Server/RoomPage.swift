import CGuestPage

/// The page by which a browser joins: it is the same for every room, open or not, and holds no secret.
enum RoomPage {
    /// One file as it is served.
    struct File: Sendable {
        let type: String
        let bytes: [UInt8]
    }

    /// Nothing comes from elsewhere, nothing goes elsewhere, nobody frames it, and no text becomes a program.
    static let headers = [
        ("Cache-Control", "no-store"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
                + "media-src blob: mediastream:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
        ),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "microphone=(self), camera=(self), speaker-selection=(self)"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
    ]

    /// `/` and `/r/ROOM` are the page itself, `/page/NAME` its parts.
    static func file(at path: String) -> File? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch (parts.first, parts.count) {
        case ("", 1): return files["index.html"]
        case ("r", 2) where parts.last != "": return files["index.html"]
        case ("page", 2): return parts.last.flatMap { files[String($0)] }
        default: return nil
        }
    }

    /// All of them by name.
    static let files: [String: File] = {
        var files = ["words.js": File(type: type(of: "words.js"), bytes: words)]
        for entry in UnsafeBufferPointer(start: guest_page_files, count: guest_page_file_count) {
            let name = String(cString: entry.name)
            let text = String(decoding: UnsafeBufferPointer(start: entry.bytes, count: entry.size), as: UTF8.self)
            files[name] = File(type: type(of: name), bytes: [UInt8](served(text, name).utf8))
        }
        return files
    }()

    /// Scripts without what is there for who reads their source: whole-line comments and indentation.
    private static func served(_ text: String, _ name: String) -> String {
        guard name.hasSuffix(".js") else { return text }
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        return lines.filter { !$0.hasPrefix("//") }.joined(separator: "\n")
    }

    /// The words of authentication strings as a module of the page.
    private static var words: [UInt8] {
        let list = AuthenticationWords.all.map { "\"\($0)\"" }.joined(separator: ",")
        return [UInt8]("export default [\(list)];\n".utf8)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
