/// Where a reverse proxy shows the rooms of this machine: `https://HOST` or `https://HOST:PORT`.
package struct PublicOrigin: Hashable, Sendable {
    package let scheme: RoomLink.Scheme
    package let host: String
    package let port: UInt16

    /// Reads what a person wrote; `nil` where it is no such address, or has a path: rooms are at `/r/ROOM`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 4 && parts[3].isEmpty,
            let link = try? RoomLink("\(parts[0])//\(parts[2])/r/room#AAAAAAAAAAAAAAAAAAAAAA")
        else { return nil }
        (scheme, host, port) = (link.scheme, link.host, link.port)
    }

    /// The link to a room there. It pins no certificate: the one that is seen is the proxy's.
    package func link(to room: RoomName, token: RoomToken) -> RoomLink {
        RoomLink(at: self, room: room, token: token)
    }

    /// As browsers name it in `Origin` (RFC 6454, section 6.2): the scheme's own port is left out.
    package var text: String {
        "\(scheme.rawValue)://" + RoomLink.authority(scheme: scheme, host: host, port: port)
    }
}
