import Primitives

extension RoomLink {
    /// Reads a link that was typed or pasted; white space and angle brackets around it are left away.
    package init(_ pasted: String) throws(RoomLinkError) {
        var text = Substring(pasted).trimming(\.isWhitespace)
        if text.hasPrefix("<"), text.hasSuffix(">") { text = text.dropFirst().dropLast() }
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= Self.maximumByteCount else { throw .tooLong(byteCount: text.utf8.count) }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .controlCharacter }
        let scheme = try Self.takeScheme(from: &text)
        let (address, fragment) = text.cut(at: "#")
        guard !address.contains("?") else { throw .query }
        let (authority, path) = address.cut(at: "/")
        let (host, port) = try Self.hostAndPort(authority, scheme: scheme)
        let room = try Self.room(path: path ?? "")
        let (token, fingerprint) = try Self.secret(fragment ?? "")
        try self.init(scheme: scheme, host: host, port: port, room: room, token: token, fingerprint: fingerprint)
    }

    private static func takeScheme(from text: inout Substring) throws(RoomLinkError) -> Scheme {
        guard let end = text.firstRange(of: "://") else { throw .notALink }
        let name = text[..<end.lowerBound].lowercased()
        guard !name.isEmpty, name.utf8.allSatisfy(isSchemeByte) else { throw .notALink }
        guard let scheme = Scheme(rawValue: name) else { throw .unsupportedScheme(name) }
        text = text[end.upperBound...]
        return scheme
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        let scalar = Unicode.Scalar(byte)
        return scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains(scalar))
    }

    private static func hostAndPort(
        _ authority: Substring, scheme: Scheme
    ) throws(RoomLinkError) -> (String, UInt16) {
        guard !authority.contains("@") else { throw .userInformation }
        let bracket = authority.lastIndex(of: "]").map { authority.index(after: $0) }
        guard authority.hasPrefix("[") == (bracket != nil) else { throw .invalidHost(String(authority)) }
        let colon = authority[(bracket ?? authority.startIndex)...].firstIndex(of: ":")
        let host = authority[..<(colon ?? authority.endIndex)]
        guard let colon else { return (String(host), scheme.defaultPort) }
        let digits = authority[authority.index(after: colon)...]
        let isNumber = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, let port = UInt16(digits), port > 0 else { throw .invalidPort(String(digits)) }
        return (String(host), port)
    }

    /// `path` is what follows the first slash.
    private static func room(path: Substring) throws(RoomLinkError) -> RoomName {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 2, segments[0] == "r", let encoded = segments.last else {
            throw .notARoom(path: "/" + path)
        }
        guard let name = PercentEncoding.decode(encoded) else { throw .invalidPercentEncoding }
        do throws(NameError) { return try RoomName(name) } catch { throw .invalidRoomName(error) }
    }

    private static func secret(
        _ fragment: Substring
    ) throws(RoomLinkError) -> (RoomToken, CertificateFingerprint?) {
        let (text, pin) = fragment.cut(at: ".")
        guard !text.isEmpty else { throw .missingToken }
        guard let token = RoomToken(text) else { throw .invalidToken }
        guard let pin else { return (token, nil) }
        guard let fingerprint = CertificateFingerprint(linkText: pin) else { throw .invalidFingerprint }
        return (token, fingerprint)
    }
}

extension Substring {
    /// The parts before and after the first `separator`; the second is `nil` where there is none.
    func cut(at separator: Character) -> (Substring, Substring?) {
        guard let index = firstIndex(of: separator) else { return (self, nil) }
        return (self[..<index], self[self.index(after: index)...])
    }

    func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
