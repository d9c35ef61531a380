import Primitives

/// Notices that the application sends less than it may, so that what arrives says nothing about the path.
struct ApplicationLimit: Sendable {
    /// Of the bitrate that may be sent, this is waited for.
    private static let share = 0.65
    private static let window = 0.5
    /// Of the window's budget spent beyond it.
    private static let debt = 0.4
    /// Of the window's budget left unspent.
    private static let beginsAbove = 0.8
    private static let endsBelow = 0.5

    /// Since when; `nil`: it sends what it may.
    private(set) var since: MonoTime?
    private var unspent = 0.0
    private var last: MonoTime?

    /// Nothing is sent from `now` on.
    mutating func begin(at now: MonoTime) {
        since = since ?? now
    }

    /// Takes `byteCount` bytes that leave while `bitrate` may be sent.
    mutating func sent(byteCount: Int, bitrate: Double, at now: MonoTime) {
        let most = bitrate * Self.share * Self.window / 8
        let earned = (now - (last ?? now)).seconds * bitrate * Self.share / 8
        last = now
        // A debt is forgiven, so that it is noticed within a second; so is an excess beyond the window.
        unspent = (unspent + earned - Double(byteCount)).clamped(to: -Self.debt * most...most)
        if unspent > Self.beginsAbove * most {
            since = since ?? now
        } else if unspent < Self.endsBelow * most {
            since = nil
        }
    }
}
