import Primitives

/// Notices that a device's clock stands still while it should run.
struct StallWatch {
    static let limit = Duration.milliseconds(500)

    private(set) var isStalled = false
    private var lastCount = -1
    private var lastProgress = MonoTime.zero

    /// Takes the number of frames that the device has passed by `now`; `isExpected`: whether it should pass any.
    mutating func update(frameCount: Int, isExpected: Bool, at now: MonoTime) {
        guard isExpected else {
            self = StallWatch()
            return
        }
        if frameCount != lastCount {
            isStalled = false
            lastCount = frameCount
            lastProgress = now
        } else if now - lastProgress >= Self.limit {
            isStalled = true
        }
    }
}
