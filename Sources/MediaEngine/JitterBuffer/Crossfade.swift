/// Mixes from one sound into another.
enum Crossfade {
    /// Below −60 dBov a joint is not heard.
    static let silentPower: Float = 1e-6

    /// Writes into `target` a mix that begins as `old` and ends as `new`; either may be `target` itself.
    static func mix(
        from old: UnsafePointer<Float>, to new: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>,
        count: Int
    ) {
        let step = 1 / Float(count + 1)
        for index in 0..<count {
            let weight = Float(index + 1) * step
            let smooth = weight * weight * (3 - 2 * weight)
            target[index] = old[index] + (new[index] - old[index]) * smooth
        }
    }

    /// Lets `samples` fade to nothing.
    static func fadeOut(_ samples: UnsafeMutableBufferPointer<Float>) {
        let step = 1 / Float(max(samples.count, 1))
        for index in samples.indices { samples[index] *= 1 - Float(index + 1) * step }
    }

    /// Whether nothing of `samples` is heard.
    static func isSilent(_ samples: UnsafeMutableBufferPointer<Float>) -> Bool {
        guard let start = samples.baseAddress else { return true }
        return power(start, count: samples.count) < silentPower
    }

    /// The mean of the squares of `count` samples.
    static func power(_ samples: UnsafePointer<Float>, count: Int) -> Float {
        var sum: Float = 0
        for index in 0..<count { sum += samples[index] * samples[index] }
        return count > 0 ? sum / Float(count) : 0
    }
}
