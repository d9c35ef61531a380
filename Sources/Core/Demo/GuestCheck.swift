import Primitives

/// Whether one guest was heard and seen as it talked.
struct GuestCheck {
    let guest: Int
    /// Stretches of the mix in which the guest talked, and those of them with its pilot.
    private(set) var stretchCount = 0
    private(set) var pilotCount = 0
    /// Levels shown while the guest talked and while it had long been silent, in dBov.
    private(set) var talkingLevels: [Int] = []
    private(set) var silentLevels: [Int] = []

    init(guest: Int) {
        self.guest = guest
    }

    mutating func sawMix(hasPilot: Bool) {
        stretchCount += 1
        if hasPilot { pilotCount += 1 }
    }

    mutating func sawLevel(_ level: Int, talks: Bool) {
        if talks { talkingLevels.append(level) } else { silentLevels.append(level) }
    }

    /// The pilot was there most of the time that the guest talked.
    var hasPilot: Bool {
        stretchCount > 0 && pilotCount * 2 > stretchCount
    }

    /// The meter stood high while the guest talked, and low while it did not.
    var meterFollows: Bool {
        guard let high = Self.median(talkingLevels), let low = Self.median(silentLevels) else { return false }
        return high > -45 && low < -60
    }

    /// What is not as it has to be, in words.
    var failures: [String] {
        var failures: [String] = []
        if stretchCount == 0 {
            failures.append("its turn to talk did not come")
        } else if !hasPilot {
            failures.append("heard in \(pilotCount) of the \(stretchCount) stretches in which it talked")
        }
        if !meterFollows {
            let (high, low) = (Self.median(talkingLevels), Self.median(silentLevels))
            failures.append(
                "its meter stood at \(Self.words(high)) while it talked and at \(Self.words(low)) while it did not")
        }
        return failures
    }

    private static func words(_ level: Int?) -> String {
        level.map { "\($0) dBov" } ?? "nothing"
    }

    var talkingLevel: Int? {
        Self.median(talkingLevels)
    }

    private static func median(_ values: [Int]) -> Int? {
        values.isEmpty ? nil : values.sorted()[values.count / 2]
    }
}
