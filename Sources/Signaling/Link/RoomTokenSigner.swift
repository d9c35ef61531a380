internal import Primitives

/// Makes and verifies tokens that say by themselves what they grant: role, number of uses and expiry, for one room.
///
/// Layout: version 1, role, uses (1: one person; 0: any number), expiry in Unix seconds (8 bytes, 0: never), nonce
/// (8 bytes), then the first 16 bytes of HMAC-SHA-256 over the room's name and all before (RFC 2104, section 5 on the
/// truncation). The nonce names the invite; it is no secret.
package struct RoomTokenSigner: Sendable {
    private static let version: UInt8 = 1
    private static let grantByteCount = 19
    private static let signatureByteCount = 16

    /// What a genuine token says.
    package struct Grant: Hashable, Sendable {
        package var role: RoomRole
        /// Whether it is for one person only.
        package var isSingleUse: Bool
        /// Unix seconds; `nil`: never.
        package var expiry: UInt64?
        package var nonce: UInt64

        package init(role: RoomRole, isSingleUse: Bool = false, expiry: UInt64? = nil, nonce: UInt64) {
            self.role = role
            self.isSingleUse = isSingleUse
            self.expiry = expiry
            self.nonce = nonce
        }
    }

    /// The secret, to be kept where only its owner reads it.
    package let key: [UInt8]

    /// A signer with a new key of 256 bits.
    package init(using generator: inout some RandomNumberGenerator) {
        key = randomBytes(SHA256.byteCount, using: &generator)
    }

    /// A signer with a key kept from before; `nil` below 128 bits.
    package init?(key: [UInt8]) {
        guard key.count >= RoomToken.minimumByteCount else { return nil }
        self.key = key
    }

    /// The token that grants this; the same each time.
    package func token(granting grant: Grant, to room: RoomName) -> RoomToken {
        var writer = ByteWriter(capacity: Self.grantByteCount + Self.signatureByteCount)
        writer.write(Self.version)
        writer.write(grant.role.rawValue)
        writer.write(UInt8(grant.isSingleUse ? 1 : 0))
        writer.write(grant.expiry ?? 0)
        writer.write(grant.nonce)
        writer.write(signature(of: writer.bytes, room: room))
        return RoomToken(signed: writer.bytes)
    }

    /// What `token` grants in `room`; `nil`: it was not made with this key for this room. The signature is compared in
    /// constant time, and nothing of the token is looked at before. Whether it has expired is the caller's question.
    package func verify(_ token: RoomToken, for room: RoomName) -> Grant? {
        guard token.bytes.count == Self.grantByteCount + Self.signatureByteCount else { return nil }
        let granted = [UInt8](token.bytes.prefix(Self.grantByteCount))
        let signed = [UInt8](token.bytes.suffix(Self.signatureByteCount))
        guard equalInConstantTime(signature(of: granted, room: room), signed),
            granted[0] == Self.version, let role = RoomRole(rawValue: granted[1])
        else { return nil }
        let (expiry, nonce) = (Self.number(granted[3..<11]), Self.number(granted[11..<19]))
        return Grant(
            role: role, isSingleUse: granted[2] == 1, expiry: expiry == 0 ? nil : expiry, nonce: nonce)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
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
