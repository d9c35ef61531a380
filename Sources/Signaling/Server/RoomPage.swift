/// The page that a browser sees: it is the same for every room, open or not, and holds no secret.
enum RoomPage {
    static let headers = [
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
    ]

    static let text = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>hoot</title>
        <style>body { font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem }</style>
        <h1>A hoot room</h1>
        <p>Join it from a terminal with</p>
        <pre>hoot join LINK</pre>
        <p>LINK is the whole address in your browser's address bar, with all that follows the #: that part is the
        room's key, and your browser has not sent it here.</p>
        </html>

        """

    /// `/`, and `/r/ROOM` for any room.
    static func isServed(at path: String) -> Bool {
        guard path != "/" else { return true }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[1] == "r" && !parts[2].isEmpty
    }
}
