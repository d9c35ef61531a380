import Primitives

/// A path that loses packets by noise, and more of them when more is sent than it carries.
struct LossModel: Hashable, Sendable, BitwiseCopyable {
    /// A path of so many bits a second is not taken to lose more by noise than 5 % and, the slower it is, …
    private static let noiseOffset = 0.05
    /// … this bitrate's share of its own.
    private static let noiseBalance = 75_000.0
    private static let leastNoise = 0.001
    /// Of two paths that explain the losses alike the faster one is believed.
    private static let biasPerKilobit = 0.0001
    private static let biasPerLogarithm = 0.01

    /// What the path carries, in bits a second.
    var bandwidth: Double
    /// The share lost by noise, 0…1.
    var noise: Double

    /// The most that a path of `bandwidth` is taken to lose by noise.
    static func mostNoise(bandwidth: Double) -> Double {
        min(noiseOffset + noiseBalance / max(bandwidth, 1), 1)
    }

    /// The model of a path of `bandwidth` whose noise explains `observations` best.
    init(bandwidth: Double, near noise: Double, explaining observations: LossObservations) {
        self.bandwidth = bandwidth
        self.noise = noise
        let range = Self.leastNoise...Self.mostNoise(bandwidth: bandwidth)
        self.noise = noise.clamped(to: range)
        for _ in 0..<2 {
            let (first, second) = slopes(of: observations)
            guard second < 0 else { return }
            self.noise = (self.noise - 0.75 * first / second).clamped(to: range)
        }
    }

    /// How well the model explains `observations`: a logarithm of the likelihood and the bias for the faster path.
    func score(of observations: LossObservations) -> Double {
        let kilobits = bandwidth / 1000
        let bias = Self.biasPerKilobit * kilobits + Self.biasPerLogarithm * logarithm(1 + kilobits)
        var score = 0.0
        observations.forEach { observation, weight in
            let loss = probability(at: observation.bitrate)
            let likelihood =
                observation.lostCount * logarithm(loss)
                + (observation.packetCount - observation.lostCount) * logarithm(1 - loss)
            score += weight * (likelihood + bias * observation.packetCount)
        }
        return score
    }

    private func probability(at bitrate: Double) -> Double {
        let excess = bitrate > bandwidth ? (bitrate - bandwidth) / bitrate : 0
        return (noise + (1 - noise) * excess).clamped(to: 1e-6...1 - 1e-6)
    }

    /// The first and second derivative of the logarithm of the likelihood by the noise.
    private func slopes(of observations: LossObservations) -> (first: Double, second: Double) {
        var (first, second) = (0.0, 0.0)
        observations.forEach { observation, weight in
            let loss = probability(at: observation.bitrate)
            let received = observation.packetCount - observation.lostCount
            let share = observation.bitrate > bandwidth ? bandwidth / observation.bitrate : 1
            first += weight * share * (observation.lostCount / loss - received / (1 - loss))
            second -=
                weight * share * share
                * (observation.lostCount / (loss * loss) + received / ((1 - loss) * (1 - loss)))
        }
        return (first, second)
    }
}
