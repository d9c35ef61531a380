internal import Primitives

/// What a person may do in a room.
package enum RoomRole: UInt8, Sendable, CaseIterable {
    case guest = 0
    /// May close the room and remove people.
    case host = 1
}

/// Why a signed token opens nothing.
package enum RoomTokenError: Error, Equatable, CustomStringConvertible {
    /// Not made with this key, for another room, or changed on its way.
    case notSigned
    case expired(atUnixSeconds: UInt64)

    package var description: String {
        switch self {
        case .notSigned: "the token does not open this room; ask its host for a new link"
        case .expired: "the link has expired; ask the room's host for a new one"
        }
    }
}

/// Makes and verifies tokens that say by themselves what they grant: role and expiry, for one room.
///
/// Layout: version 1, role, expiry in Unix seconds (8 bytes, 0: never), nonce (8 bytes), then the first 16 bytes of
/// HMAC-SHA-256 over the room's name and all before (RFC 2104, section 5 on the truncation).
package struct RoomTokenSigner: Sendable {
    private static let version: UInt8 = 1
    private static let grantByteCount = 18
    private static let signatureByteCount = 16

    /// What a genuine token grants.
    package struct Grant: Equatable, Sendable {
        package var role: RoomRole
        /// Unix seconds; `nil`: never.
        package var expiry: UInt64?

        package init(role: RoomRole, expiry: UInt64? = nil) {
            self.role = role
            self.expiry = expiry
        }
    }

    private let key: [UInt8]

    /// A signer with a new key of 256 bits.
    package init(using generator: inout some RandomNumberGenerator) {
        key = randomBytes(SHA256.byteCount, using: &generator)
    }

    /// A signer with a key kept from before; `nil` below 128 bits.
    package init?(key: [UInt8]) {
        guard key.count >= RoomToken.minimumByteCount else { return nil }
        self.key = key
    }

    package func makeToken(
        granting grant: Grant, to room: RoomName, using generator: inout some RandomNumberGenerator
    ) -> RoomToken? {
        var writer = ByteWriter(capacity: Self.grantByteCount + Self.signatureByteCount)
        writer.write(Self.version)
        writer.write(grant.role.rawValue)
        writer.write(grant.expiry ?? 0)
        writer.write(randomBytes(8, using: &generator))
        writer.write(signature(of: writer.bytes, room: room))
        return RoomToken(bytes: writer.bytes)
    }

    /// What `token` grants in `room` at `now` (Unix seconds). The signature is compared in constant time, and nothing
    /// of the token is looked at before.
    package func verify(
        _ token: RoomToken, for room: RoomName, at now: UInt64
    ) throws(RoomTokenError) -> Grant {
        guard token.bytes.count == Self.grantByteCount + Self.signatureByteCount else { throw .notSigned }
        let granted = [UInt8](token.bytes.prefix(Self.grantByteCount))
        let signed = [UInt8](token.bytes.suffix(Self.signatureByteCount))
        guard equalInConstantTime(signature(of: granted, room: room), signed) else { throw .notSigned }
        guard granted[0] == Self.version, let role = RoomRole(rawValue: granted[1]) else { throw .notSigned }
        let expiry = granted[2..<10].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard expiry == 0 || now < expiry else { throw .expired(atUnixSeconds: expiry) }
        return Grant(role: role, expiry: expiry == 0 ? nil : expiry)
    }

    private func signature(of granted: [UInt8], room: RoomName) -> [UInt8] {
        var writer = ByteWriter()
        writer.write([UInt8]("hoot room token".utf8))
        writer.write(UInt16(clamping: room.text.utf8.count))
        writer.write([UInt8](room.text.utf8))
        writer.write(granted)
        return [UInt8](SHA256.authenticationCode(of: writer.bytes, key: key).prefix(Self.signatureByteCount))
    }
}
