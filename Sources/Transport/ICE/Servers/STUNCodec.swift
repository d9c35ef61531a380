import CGLib
import CNice
import Glibc

/// The requests of one client to one STUN or TURN server, and what the answers mean, by libnice's codec.
final class STUNCodec {
    /// What a message of the server says.
    enum Answer: Hashable {
        /// The address that we are seen by.
        case bound(to: String)
        /// The address that is relayed to us.
        case allocated(String)
        /// Credentials are wanted; `allocateRequest` has what it needs for them now.
        case challenged
        case wrongCredentials
        case refused(code: Int)
        /// Nothing that was asked for.
        case unrelated
    }

    private let agent = UnsafeMutablePointer<StunAgent>.allocate(capacity: 1)
    private let user: [UInt8]
    /// The agent keeps pointers to it.
    private let secret: UnsafeMutableBufferPointer<UInt8>
    /// The server's realm and nonce.
    private var challenge: [UInt8]?

    init(credentials: TURNCredentials?) {
        user = Array((credentials?.user ?? "").utf8)
        secret = .allocate(capacity: credentials?.secret.utf8.count ?? 0)
        _ = secret.initialize(from: (credentials?.secret ?? "").utf8)
        agent.initialize(to: StunAgent())
        cnice_stun_agent_init(agent)
    }

    deinit {
        agent.deallocate()
        secret.deallocate()
    }

    func bindingRequest() -> [UInt8] {
        request { message, buffer, count in stun_usage_bind_create(agent, message, buffer, count) }
    }

    /// Asks for a relayed address: without credentials first, then with them, as the server wants it.
    func allocateRequest() -> [UInt8] {
        authenticated { message, buffer, count, challenge, user, secret in
            stun_usage_turn_create(
                agent, message, buffer, count, challenge, STUN_USAGE_TURN_REQUEST_PORT_NORMAL, -1, -1,
                user.baseAddress, user.count, secret.baseAddress, secret.count,
                STUN_USAGE_TURN_COMPATIBILITY_RFC5766)
        }
    }

    /// Gives the relayed address back.
    func releaseRequest() -> [UInt8] {
        authenticated { message, buffer, count, challenge, user, secret in
            stun_usage_turn_create_refresh(
                agent, message, buffer, count, challenge, 0, user.baseAddress, user.count, secret.baseAddress,
                secret.count, STUN_USAGE_TURN_COMPATIBILITY_RFC5766)
        }
    }

    /// The length of the message that `bytes` begin with; `nil`: it is not all there, or no message.
    static func length(of bytes: [UInt8]) -> Int? {
        let length = stun_message_validate_buffer_length(bytes, bytes.count, true)
        return length > 0 ? Int(length) : nil
    }

    /// Takes one whole message of the server.
    func answer(_ bytes: [UInt8]) -> Answer {
        bytes.withUnsafeBufferPointer { buffer in
            var message = StunMessage()
            let status = stun_agent_validate(agent, &message, buffer.baseAddress, buffer.count, nil, nil)
            switch (status, stun_message_get_class(&message)) {
            case (STUN_VALIDATION_SUCCESS, STUN_RESPONSE), (STUN_VALIDATION_UNKNOWN_ATTRIBUTE, STUN_RESPONSE):
                return success(&message)
            case (STUN_VALIDATION_SUCCESS, STUN_ERROR), (STUN_VALIDATION_UNKNOWN_ATTRIBUTE, STUN_ERROR):
                return error(&message, bytes)
            default: return .unrelated
            }
        }
    }
}

extension STUNCodec {
    private func success(_ message: inout StunMessage) -> Answer {
        let attribute =
            stun_message_get_method(&message) == STUN_ALLOCATE
            ? STUN_ATTRIBUTE_XOR_RELAYED_ADDRESS : STUN_ATTRIBUTE_XOR_MAPPED_ADDRESS
        var place = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        guard stun_message_find_xor_addr(&message, attribute, &place, &length) == STUN_MESSAGE_RETURN_SUCCESS else {
            return .unrelated
        }
        var address = NiceAddress()
        withUnsafeBytes(of: &place) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { nice_address_set_from_sockaddr(&address, $0.baseAddress) }
        }
        guard let place = ICECandidate.place(address) else { return .unrelated }
        return attribute == STUN_ATTRIBUTE_XOR_RELAYED_ADDRESS ? .allocated(place.address) : .bound(to: place.address)
    }

    private func error(_ message: inout StunMessage, _ bytes: [UInt8]) -> Answer {
        var code: Int32 = 0
        guard stun_message_find_error(&message, &code) == STUN_MESSAGE_RETURN_SUCCESS else { return .unrelated }
        // 401 and 438 bring a realm and a nonce; a second 401 means that the answer to them was wrong.
        let wasChallenged = challenge != nil
        switch code {
        case 401 where wasChallenged, 441: return .wrongCredentials
        case 401, 438:
            challenge = bytes
            return user.isEmpty ? .wrongCredentials : .challenged
        default: return .refused(code: Int(code))
        }
    }

    private typealias Creator = (
        UnsafeMutablePointer<StunMessage>, UnsafeMutablePointer<UInt8>?, Int
    ) -> Int

    private func request(_ create: Creator) -> [UInt8] {
        var message = StunMessage()
        var buffer = [UInt8](repeating: 0, count: 1280)
        let count = buffer.withUnsafeMutableBufferPointer { create(&message, $0.baseAddress, $0.count) }
        return Array(buffer[..<count])
    }

    private func authenticated(
        _ create: (
            UnsafeMutablePointer<StunMessage>, UnsafeMutablePointer<UInt8>?, Int, UnsafeMutablePointer<StunMessage>?,
            UnsafeMutableBufferPointer<UInt8>, UnsafeMutableBufferPointer<UInt8>
        ) -> Int
    ) -> [UInt8] {
        var user = user
        guard var challenge else {
            return request { message, buffer, count in
                create(message, buffer, count, nil, .init(start: nil, count: 0), .init(start: nil, count: 0))
            }
        }
        return challenge.withUnsafeMutableBufferPointer { bytes in
            var previous = StunMessage()
            previous.agent = agent
            previous.buffer = bytes.baseAddress
            previous.buffer_len = bytes.count
            return user.withUnsafeMutableBufferPointer { user in
                request { message, buffer, count in create(message, buffer, count, &previous, user, secret) }
            }
        }
    }
}
