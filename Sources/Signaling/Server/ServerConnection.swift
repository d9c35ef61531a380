internal import Primitives

/// One connection as its owner names it.
package struct ConnectionID: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// What the server knows of one connection.
struct ServerConnection {
    enum Phase {
        /// Has until then to say `hello`.
        case unauthenticated(until: MonoTime)
        case member(room: String, id: MemberID)
        case waiting(room: String, id: MemberID)
        /// In the lobby, until a host has answered or until then.
        case knocking(room: String, id: MemberID, until: MonoTime)
        /// Has been told why; is cut off then.
        case closing(until: MonoTime)
    }

    var phase: Phase
    /// In this process: no limits, no pings.
    let isLocal: Bool
    var messages: TokenBucket
    var bytes: TokenBucket
    var lastHeard: MonoTime
    var nextPing: MonoTime
    private var sentBytes = 0
    private var confirmedBytes = 0
    private var pingNumber = 0
    /// How much had been sent when each open ping was.
    private var openPings: [(number: Int, sentBytes: Int)] = []

    init(isLocal: Bool, limits: RoomLimits, at now: MonoTime) {
        phase = .unauthenticated(until: now + limits.helloTime)
        self.isLocal = isLocal
        messages = TokenBucket(rate: limits.messagesPerSecond, burst: limits.messageBurst, at: now)
        bytes = TokenBucket(rate: limits.bytesPerSecond, burst: limits.byteBurst, at: now)
        lastHeard = now
        nextPing = now + limits.pingInterval
    }

    /// Counts among those that must be few.
    var isOutside: Bool {
        switch phase {
        case .unauthenticated, .closing: true
        case .member, .waiting, .knocking: false
        }
    }

    var unconfirmedBytes: Int {
        sentBytes - confirmedBytes
    }

    var hasOpenPing: Bool {
        !openPings.isEmpty
    }

    mutating func noteSent(byteCount: Int) {
        sentBytes += byteCount
    }

    /// The number of a new ping.
    mutating func openPing(at now: MonoTime, limits: RoomLimits) -> Int {
        pingNumber += 1
        openPings.append((pingNumber, sentBytes))
        if openPings.count > 16 { openPings.removeFirst() }
        nextPing = now + limits.pingInterval
        return pingNumber
    }

    /// All that was sent before the ping of this number has been read.
    mutating func confirm(ping number: Int) {
        guard let index = openPings.firstIndex(where: { $0.number == number }) else { return }
        confirmedBytes = max(confirmedBytes, openPings[index].sentBytes)
        openPings.removeFirst(index + 1)
    }

    func deadline(limits: RoomLimits) -> MonoTime? {
        switch phase {
        case .unauthenticated(let until), .closing(let until), .knocking(_, _, let until):
            isLocal ? nil : until
        case .member, .waiting:
            isLocal ? nil : min(nextPing, lastHeard + limits.silenceTime)
        }
    }
}
