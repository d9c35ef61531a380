import MediaEngine
import Primitives
import Testing

/// One encoding for three peers, each behind a bottleneck of its own, planned anew five times a second.
@Suite struct SharedEncodingTests {
    private struct Mesh {
        static let maximum = 600_000.0

        var paths: [BandwidthSimulation]
        var plan = VideoLayerPlan<Int>()
        /// How often somebody was given other frames than before.
        var changeCount = 0

        init(seed: UInt64) {
            paths = (0..<3).map { index in
                let seed = seed + UInt64(index) * 1000
                return BandwidthSimulation(
                    Bottleneck(bitrate: 1_500_000, delay: .milliseconds(30), seed: seed), calls: [CallFlow(seed: seed)])
            }
        }

        mutating func run(seconds: Int, each: (Mesh) -> Void = { _ in }) {
            for index in paths.indices { paths[index].measure(.zero, after: .zero) }
            for _ in 0..<seconds * 5 {
                for index in paths.indices { paths[index].run(.milliseconds(200)) }
                let peers = paths.map { VideoLayerPlan<Int>.Peer(wish: .high, share: $0.calls[0].videoShare) }
                let before = plan.baseAlone
                plan.update(
                    Dictionary(uniqueKeysWithValues: zip(paths.indices, peers)), maximum: Self.maximum)
                if plan.baseAlone != before { changeCount += 1 }
                for index in paths.indices {
                    let bitrate = plan.layers[index] == .low ? plan.lowBitrate : plan.highBitrate
                    paths[index].calls[0].encoding = (bitrate ?? 0, plan.baseAlone.contains(index))
                }
                each(self)
            }
        }
    }

    @Test(arguments: CongestionGateTests.seeds) func aNarrowPathHoldsNobodyElseDown(seed: UInt64) {
        var mesh = Mesh(seed: seed)
        mesh.run(seconds: 20)
        #expect(mesh.plan.highBitrate == Mesh.maximum && mesh.plan.baseAlone.isEmpty)
        // Of the pictures there is room for their base layer, but not for all of them.
        mesh.paths[2].path.bitrate = 480_000
        mesh.run(seconds: 20)
        var bitrates: [Double] = []
        mesh.run(seconds: 40) { mesh in
            #expect(mesh.plan.baseAlone == [2] && mesh.plan.layers[2] == .high)
            bitrates.append(mesh.plan.highBitrate ?? 0)
        }
        // All of the pictures would have to be held to what this path leaves beside the sound, at the most.
        #expect(bitrates.allSatisfy { $0 > 480_000 - CallFlow.audioBitrate })
        #expect(bitrates.reduce(0, +) / Double(bitrates.count) > 0.9 * Mesh.maximum)
        for path in mesh.paths {
            #expect(path.measurements[0].queueTimeP95 <= 100 && path.measurements[0].lossRatio <= 0.02)
        }
        mesh.paths[2].path.bitrate = 1_500_000
        mesh.run(seconds: 40)
        #expect(mesh.plan.highBitrate == Mesh.maximum && mesh.plan.baseAlone.isEmpty)
        #expect(mesh.changeCount < 6)
    }
}
