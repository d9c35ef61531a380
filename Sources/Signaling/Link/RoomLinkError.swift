/// Why a text is no link to a room. The description is fit for the status bar and never repeats the secret part.
package enum RoomLinkError: Error, Equatable, CustomStringConvertible {
    case empty
    case tooLong(byteCount: Int)
    case controlCharacter
    /// No `https://` at the front.
    case notALink
    case unsupportedScheme(String)
    /// Plain HTTP to anything but this machine.
    case unencrypted(host: String)
    case missingHost
    case invalidHost(String)
    case userInformation
    case invalidPort(String)
    /// The path is not `/r/ROOM`.
    case notARoom(path: String)
    /// A `?` part: some would put the secret there, where servers log it.
    case query
    case invalidPercentEncoding
    case invalidRoomName(NameError)
    case missingToken
    case invalidToken
    case invalidFingerprint

    package var description: String {
        "link: \(reason)"
    }

    private var reason: String {
        switch self {
        case .empty: "it is empty; paste the link that “hoot host” printed"
        case .tooLong(let count): "it has \(count) bytes, more than \(RoomLink.maximumByteCount); copy the link alone"
        case .controlCharacter: "it has a control character or a line break inside; copy the link in one piece"
        case .notALink: "it does not begin with https://; paste the whole link"
        case .unsupportedScheme(let scheme): "\(scheme): is not a room's scheme; rooms have https: links"
        case .unencrypted(let host):
            "http: to \(host) would send everything readable; plain HTTP is only for this machine, ask for an https link"
        case .missingHost: "it names no host; paste the whole link"
        case .invalidHost(let host): "“\(host)” is not a host name or address; check the part after https://"
        case .userInformation: "it has a user name before the host, which room links never have; ask for a new link"
        case .invalidPort(let port): "“\(port)” is not a port; it must be 1…65535"
        case .notARoom(let path): "“\(path)” is not a room; a room's path is /r/ROOM"
        case .query: "it has a “?” part, which room links never have; copy it anew"
        case .invalidPercentEncoding: "the room's name is wrongly encoded; copy the link anew"
        case .invalidRoomName(let error): "\(error)"
        case .missingToken: "the secret after “#” is missing; copy the link to its end"
        case .invalidToken: "the secret after “#” is damaged; copy the link to its end"
        case .invalidFingerprint: "the fingerprint at its end is damaged; copy the link to its end"
        }
    }
}
