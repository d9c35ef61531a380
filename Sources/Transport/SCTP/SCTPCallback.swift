import CUsrsctp
import Glibc
import Reactor

/// What usrsctp calls with each message, or a part of it, and each notification; `data` is ours to free.
func receiveMessage(
    _: OpaquePointer?, _: sctp_sockstore, _ data: UnsafeMutableRawPointer?, _ count: Int, _ info: sctp_rcvinfo,
    _ flags: Int32, _ number: UnsafeMutableRawPointer?
) -> Int32 {
    guard let data else { return 1 }
    defer { free(data) }
    let bytes = UnsafeRawBufferPointer(start: data, count: count)
    EngineActor.assumeIsolated(with: (number, bytes)) { number, bytes in
        guard let socket = SCTPStack.shared.socket(number) else { return }
        if flags & MSG_NOTIFICATION != 0 {
            for event in SCTPSocket.Event.events(notification: bytes) { socket.took(event) }
        } else if flags & Int32(MSG_EOR) == 0 {
            socket.took(.messageTooLong(stream: info.rcv_sid))
        } else {
            let type = PayloadProtocol(UInt32(bigEndian: info.rcv_ppid))
            socket.took(.message(SCTPMessage(stream: info.rcv_sid, payloadType: type, bytes: [UInt8](bytes))))
        }
    }
    return 1
}

extension SCTPSocket.Event {
    /// What a notification of the stack says (RFC 6458, section 6), as far as it matters.
    static func events(notification: UnsafeRawBufferPointer) -> [SCTPSocket.Event] {
        guard let header: sctp_tlv = load(notification) else { return [] }
        switch Int32(header.sn_type) {
        case SCTP_ASSOC_CHANGE: return associationChange(notification).map { [$0] } ?? []
        case SCTP_STREAM_RESET_EVENT: return streamReset(notification)
        default: return []
        }
    }

    private static func associationChange(_ bytes: UnsafeRawBufferPointer) -> SCTPSocket.Event? {
        guard let change: sctp_assoc_change = load(bytes) else { return nil }
        switch Int32(change.sac_state) {
        case SCTP_COMM_UP:
            return .connected(streamCount: min(change.sac_outbound_streams, change.sac_inbound_streams))
        case SCTP_COMM_LOST: return .ended("the peer ended the data channels, or could not be reached")
        case SCTP_CANT_STR_ASSOC: return .ended("the peer does not answer")
        case SCTP_SHUTDOWN_COMP: return .ended("the peer ended the data channels")
        // All streams begin anew, and nobody would know what was lost.
        case SCTP_RESTART: return .ended("the peer began the data channels anew")
        default: return nil
        }
    }

    private static func streamReset(_ bytes: UnsafeRawBufferPointer) -> [SCTPSocket.Event] {
        guard let reset: sctp_stream_reset_event = load(bytes) else { return [] }
        let refused = SCTP_STREAM_RESET_DENIED | SCTP_STREAM_RESET_FAILED
        guard Int32(reset.strreset_flags) & refused == 0 else { return [] }
        let list = bytes.dropFirst(MemoryLayout<sctp_stream_reset_event>.size)
        let streams = stride(from: list.startIndex, to: list.endIndex - 1, by: 2).map {
            bytes.loadUnaligned(fromByteOffset: $0, as: UInt16.self)
        }
        var events: [SCTPSocket.Event] = []
        if Int32(reset.strreset_flags) & SCTP_STREAM_RESET_INCOMING_SSN != 0 { events.append(.incomingReset(streams)) }
        if Int32(reset.strreset_flags) & SCTP_STREAM_RESET_OUTGOING_SSN != 0 { events.append(.outgoingReset(streams)) }
        return events
    }

    /// The fixed part of a structure of C's.
    private static func load<Value>(_ bytes: UnsafeRawBufferPointer) -> Value? {
        bytes.count < MemoryLayout<Value>.size ? nil : bytes.load(as: Value.self)
    }
}
