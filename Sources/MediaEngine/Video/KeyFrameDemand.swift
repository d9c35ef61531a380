internal import Primitives

/// When a receiver asks for a key frame: at once when nothing else helps, and again every 200 ms until one is there; and
/// every 3 s while no picture comes although one is due. Of a sender that is expected to send nothing, none is asked for.
struct KeyFrameDemand: Sendable {
    static let interval = Duration.milliseconds(200)
    /// For so long a picture that is due may stay away.
    static let patience = Duration.seconds(3)
    /// For so long asking again is the same command; then it is taken for lost, or for followed in vain.
    static let commandPeriod = Duration.seconds(1)

    private(set) var isWanted = false
    /// The number of the last command (RFC 5104, section 4.3.1.1): asking again does not change it.
    var command: UInt8 = 0
    /// How often it was asked.
    private(set) var askedCount: UInt64 = 0
    private(set) var expectation = VideoReceiver.Expectation.whatComes
    private var next = MonoTime.zero
    /// Since when a picture is due; `nil`: none is.
    private var dueSince: MonoTime?
    /// Until when asking again is the same command; `nil`: the next one is another.
    private var commandEnd: MonoTime?

    mutating func expect(_ new: VideoReceiver.Expectation, at now: MonoTime) {
        guard new != expectation else { return }
        // Whatever shows something from now on begins with a picture.
        let begins = expectation == .nothing || new == .motion
        expectation = new
        if begins { dueSince = now }
        if new == .nothing { dueSince = nil }
    }

    /// There is a sign that the sender sends.
    mutating func isSent(at now: MonoTime) {
        if expectation != .nothing { dueSince = dueSince ?? now }
    }

    /// A picture came.
    mutating func pictureCame(at now: MonoTime) {
        dueSince = expectation == .motion ? now : nil
    }

    mutating func want(at now: MonoTime) {
        guard !isWanted else { return }
        isWanted = true
        commandEnd = nil
        next = max(next, now)
    }

    /// A key frame is on its way: there is time until it must be whole.
    mutating func keyFrameArrives(at now: MonoTime) {
        next = max(next, now + Self.interval)
        commandEnd = nil
    }

    /// A key frame is there.
    mutating func satisfy() {
        isWanted = false
    }

    var deadline: MonoTime? {
        guard expectation != .nothing else { return nil }
        return earlier(isWanted ? next : nil, dueSince.map { max($0 + Self.patience, next) })
    }

    /// Whether to ask now.
    mutating func take(at now: MonoTime) -> Bool {
        guard let deadline, deadline <= now else { return false }
        next = now + Self.interval
        if dueSince != nil { dueSince = now }
        askedCount += 1
        if commandEnd.map({ $0 <= now }) ?? true {
            command &+= 1
            commandEnd = now + Self.commandPeriod
        }
        return true
    }
}
