import Primitives

/// One room as its server keeps it.
package struct RoomConfiguration: Sendable {
    package var name: RoomName
    /// How many people the call holds.
    package var seats = 8
    /// What a member is given in its `welcome`. Asked on the engine's thread; it may read the time of day, for
    /// credentials that run out.
    package var iceServers: @Sendable (MemberID) -> [ICEServer] = { _ in [] }
    /// Whether who is no host has to knock first.
    package var hasLobby = false
    /// How long a host may take to answer a knock.
    package var answerTime: Duration = .seconds(45)
    /// Who may come in, as things stand when the room opens.
    package var invites: InviteBook

    package init(invites: InviteBook) {
        name = invites.room
        self.invites = invites
    }
}

/// The bounds that a room's server keeps.
package struct RoomLimits: Hashable, Sendable {
    /// Connections that have not been let in, or are closing.
    package var unauthenticated = 64
    /// How long a connection may stay without being let in.
    package var helloTime: Duration = .seconds(10)
    /// How long a refused or closed connection may take to go.
    package var closingTime: Duration = .seconds(2)
    /// How long a member's seat is kept when its connection broke.
    package var awayTime: Duration = .seconds(20)
    package var pingInterval: Duration = .seconds(5)
    /// A connection that says nothing for this long is broken.
    package var silenceTime: Duration = .seconds(15)
    /// How much a connection may have been sent without confirming it, in bytes.
    package var unconfirmedBytes = 1 << 20
    /// How much is kept for a member whose connection broke, in bytes.
    package var awayBytes = 256 * 1024
    package var waiters = 32
    /// How many people may knock at a room at once.
    package var knockers = 16
    /// How long before the end of its time a member is warned.
    package var warningTime: Duration = .seconds(30)
    /// What a member may send in the long run, and at once.
    package var messagesPerSecond = 50.0
    package var messageBurst = 300.0
    package var bytesPerSecond = 256.0 * 1024
    package var byteBurst = 2.0 * 1024 * 1024

    package init() {}
}

/// What a room's server has counted since it started.
package struct RoomServerCounters: Hashable, Sendable {
    /// Connections that were closed at once because too many were not let in yet.
    package var refusedAtAccept = 0
    package var accepted = 0
    /// Connections whose `hello` was refused or did not come.
    package var refused = 0
    package var admitted = 0
    /// Messages that broke the protocol.
    package var badMessages = 0
    package var droppedSlow = 0
    package var droppedForRate = 0

    package init() {}
}
