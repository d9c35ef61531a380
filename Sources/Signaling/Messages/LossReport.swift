/// What a member lost of each other member in the last seconds: everyone can then tell whose link is bad.
package struct LossReport: Hashable, Sendable, Codable {
    package struct Loss: Hashable, Sendable, Codable {
        /// Who sent the packets.
        package var sender: MemberID
        /// How many were expected in the interval.
        package var expected: Int
        /// How many of them did not come.
        package var lost: Int

        package init(sender: MemberID, expected: Int, lost: Int) {
            self.sender = sender
            self.expected = expected
            self.lost = lost
        }

        /// The share lost, in percent; `nil` when nothing was expected.
        package var percent: Double? {
            expected > 0 ? Double(lost) / Double(expected) * 100 : nil
        }
    }

    /// The length of the interval in seconds.
    package var seconds: Double
    package var losses: [Loss]

    package init(seconds: Double, losses: [Loss]) {
        self.seconds = seconds
        self.losses = losses
    }

    func check() throws(RoomMessageError) {
        guard seconds > 0, seconds <= 3600 else {
            throw .invalid(field: "seconds", reason: "out of range; more than 0, at most 3600")
        }
        guard losses.count <= 64 else {
            throw .invalid(field: "losses", reason: "has \(losses.count) entries; at most 64 are taken")
        }
        for loss in losses {
            try RoomText.checkIdentifier(loss.sender.rawValue, field: "sender")
            guard (0...100_000_000).contains(loss.expected), (0...max(loss.expected, 0)).contains(loss.lost) else {
                throw .invalid(field: "losses", reason: "counts out of range; 0 ≤ lost ≤ expected ≤ 100000000")
            }
        }
    }
}
