/// What a peer's data channels brought that could not be used.
package struct DataChannelCounters: Hashable, Sendable {
    /// Establishment messages that are malformed, or acknowledge nothing.
    package var malformedControl = 0
    /// Channels that the peer must not open: on a stream in use, or with a number of our side.
    package var refusedOpenings = 0
    /// Messages on a stream without a channel.
    package var strayMessages = 0
    /// Messages of an unknown kind, or text that is no UTF-8.
    package var malformedMessages = 0
    /// Messages longer than what was offered; each closes its channel.
    package var oversizedMessages = 0
    /// SCTP packets that were no good: checksum, verification tag, or no packets at all.
    package var malformedPackets = 0

    package init() {}
}
