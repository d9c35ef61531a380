import Glibc

/// What the sound server and its mixers are told about us.
package struct ApplicationIdentity: Hashable, Sendable {
    package var name: String
    package var version: String
    /// An icon's name by the freedesktop naming specification.
    package var iconName: String

    package init(name: String = "hoot", version: String = "", iconName: String = "call-start") {
        self.name = name
        self.version = version
        self.iconName = iconName
    }

    /// Properties of our connections.
    var clientProperties: [String: String] {
        [
            "application.name": name, "application.id": name, "application.version": version,
            "application.icon_name": iconName,
        ]
    }

    /// Properties of our streams. The role lets the server lower music for the time of the call (Q32).
    var streamProperties: [String: String] {
        [
            "media.role": "phone", "media.name": "call", "media.icon_name": iconName,
            "application.process.id": String(getpid()),
        ]
    }
}
