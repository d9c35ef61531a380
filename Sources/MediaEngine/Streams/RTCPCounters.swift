/// What an RTCP session has sent, received and dropped.
package struct RTCPCounters: Hashable, Sendable {
    package internal(set) var sentDatagramCount = 0
    package internal(set) var sentByteCount = 0
    package internal(set) var receivedDatagramCount = 0
    package internal(set) var receivedByteCount = 0
    /// Datagrams that are not RTCP.
    package internal(set) var unframedCount = 0
    /// Packets that contradict themselves.
    package internal(set) var malformedCount = 0
    /// Packets of types that are not understood.
    package internal(set) var skippedCount = 0
    /// Sender reports sent.
    package internal(set) var senderReportCount = 0

    package init() {}
}
