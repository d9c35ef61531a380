/// Which way media flows, seen by the one who says it (RFC 3264, section 5.1).
package enum MediaDirection: String, Sendable, CaseIterable {
    case sendrecv
    case sendonly
    case recvonly
    case inactive

    package init(sends: Bool, receives: Bool) {
        self = sends ? (receives ? .sendrecv : .sendonly) : (receives ? .recvonly : .inactive)
    }

    package var sends: Bool {
        self == .sendrecv || self == .sendonly
    }

    package var receives: Bool {
        self == .sendrecv || self == .recvonly
    }

    /// The same, seen from the other side.
    package var reversed: MediaDirection {
        MediaDirection(sends: receives, receives: sends)
    }

    /// What both allow.
    package func intersection(_ other: MediaDirection) -> MediaDirection {
        MediaDirection(sends: sends && other.sends, receives: receives && other.receives)
    }
}

extension SDPAttributed {
    /// The direction that stands here; `nil` where none does.
    package var statedDirection: MediaDirection? {
        attributes.lazy.compactMap { MediaDirection(rawValue: $0.name) }.first
    }
}

extension SessionDescription {
    /// The direction of a section: its own, else the session's, else `sendrecv` (RFC 8866, section 6.7).
    package func direction(of section: MediaSection) -> MediaDirection {
        section.statedDirection ?? statedDirection ?? .sendrecv
    }
}
