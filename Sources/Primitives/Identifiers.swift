/// A synchronization source (RFC 3550, section 3).
package struct SSRC: RawRepresentable, Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    package var rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package init(_ value: UInt32) {
        rawValue = value
    }

    package var description: String {
        String(rawValue)
    }
}

/// An RTP payload type, 0…127.
package struct PayloadType: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package init(_ value: UInt8) {
        rawValue = value
    }
}

/// The identification tag of a media section (RFC 8843, section 15; RFC 5888).
package struct MID: RawRepresentable, Hashable, Sendable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(_ value: String) {
        rawValue = value
    }
}
