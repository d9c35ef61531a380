import MediaEngine
import Primitives
import Testing

@Suite struct PlaybackTests {
    @Test func streamsAreMixed() throws {
        let rig = Rig()
        _ = try #require(rig.pipeline.addStream(PlainSource { _ in 0.2 }))
        _ = try #require(rig.pipeline.addStream(PlainSource { _ in 0.3 }))
        let frame = rig.tick()
        #expect(frame.allSatisfy { abs($0 - 0.5) < 1e-5 })
    }

    @Test func packetsReachTheirStream() throws {
        let rig = Rig()
        let first = PlainSource()
        let second = PlainSource()
        let numbers = [first, second].map { rig.pipeline.addStream($0) }
        let number = try #require(numbers[1])
        let payload: [UInt8] = [1, 2, 3]
        payload.withUnsafeBytes { bytes in
            _ = rig.pipeline.deliver(.made(stream: number, sequenceNumber: 7), payload: bytes)
        }
        rig.tick()
        #expect(first.packets.isEmpty)
        #expect(second.packets.count == 1)
        #expect(second.packets.first?.0.sequenceNumber == 7)
        #expect(second.packets.first?.1 == payload)
    }

    @Test func packetsOfAStreamThatIsGoneAreCounted() throws {
        let rig = Rig()
        let old = try #require(rig.pipeline.addStream(PlainSource()))
        rig.tick()
        rig.pipeline.removeStream(old)
        let source = PlainSource()
        let new = try #require(rig.pipeline.addStream(source))
        #expect(new != old)
        for number in [old, -1, 77, .max] {
            _ = rig.pipeline.deliver(.made(stream: number), payload: .init(start: nil, count: 0))
        }
        _ = rig.run(frames: 12)
        #expect(source.packets.isEmpty)
        #expect(rig.report.counters.strayPackets == 4)
    }

    @Test func fullRingRefusesAndCounts() throws {
        let rig = Rig(streamCapacity: 1)
        let number = try #require(rig.pipeline.addStream(PlainSource()))
        let taken = (0..<1000).count { _ in
            rig.pipeline.deliver(.made(stream: number), payload: .init(start: nil, count: 0))
        }
        #expect(taken >= 64 && taken < 1000)
        _ = rig.run(frames: 12)
        #expect(rig.report.counters.refusedReceivedPackets == UInt64(1000 - taken))
    }

    @Test func moreStreamsThanSlotsAreRefused() {
        let rig = Rig(streamCapacity: 2)
        let numbers = (0..<3).map { _ in rig.pipeline.addStream(PlainSource()) }
        #expect(numbers.map { $0 != nil } == [true, true, false])
    }

    @Test func gainSilenceDeafenHoldAndVolumeMoveWithoutAClick() throws {
        let rig = Rig()
        let number = try #require(rig.pipeline.addStream(PlainSource { _ in 0.2 }))
        rig.tick()
        let changes: [(AudioPipeline) -> Void] = [
            { $0.setGain(PlaybackGain(percent: 400), stream: number) },
            { $0.setGain(.unity, stream: number) },
            { $0.setSilenced(true, stream: number) },
            { $0.setSilenced(false, stream: number) },
            { $0.setDeafened(true) },
            { $0.setHeld(true) },
            { $0.setDeafened(false) },
            { $0.setHeld(false) },
            { $0.setOutputGain(PlaybackGain(percent: 50)) },
        ]
        let expected: [Float] = [0.8, 0.2, 0, 0.2, 0, 0, 0, 0.2, 0.1]
        var last: Float = 0.2
        for (change, value) in zip(changes, expected) {
            change(rig.pipeline)
            let frames = rig.run(frames: 2)
            #expect(steepest([last] + frames) < 0.01)
            #expect(frames[480...].allSatisfy { abs($0 - value) < 1e-4 })
            last = frames[959]
        }
    }

    @Test func silencedFromTheStartIsNeverHeard() throws {
        let rig = Rig()
        let number = try #require(rig.pipeline.addStream(PlainSource { _ in 0.2 }, isSilenced: true))
        #expect(rig.run(frames: 20).allSatisfy { $0 == 0 })
        #expect(rig.streams.first?.stream == number)
        #expect(abs((rig.streams.first?.level.dBov ?? 0) + 14) < 0.1, "the meter shows it all the same")
    }

    @Test func leavingStreamFadesAndIsReleasedByDrain() throws {
        let rig = Rig()
        let released = Bell()
        var source: PlainSource? = PlainSource { _ in 0.2 }
        source?.onRelease = { released.ring() }
        let number = try #require(source.flatMap { rig.pipeline.addStream($0) })
        source = nil
        rig.tick()
        rig.pipeline.removeStream(number)
        let frame = rig.render()
        #expect(steepest([0.2] + frame) < 0.01 && abs(frame[479]) < 1e-4)
        #expect(released.count == 0, "the audio thread releases nothing")
        rig.drain()
        #expect(released.count == 1)
        #expect(rig.render().allSatisfy { $0 == 0 })
    }

    @Test func everythingIsReleasedWithThePipeline() {
        let released = Bell()
        do {
            let rig = Rig(streamCapacity: 8)
            for index in 0..<6 {
                let source = PlainSource()
                source.onRelease = { released.ring() }
                let number = rig.pipeline.addStream(source)
                if index == 2 { rig.tick() }
                if index % 2 == 0, let number { rig.pipeline.removeStream(number) }
            }
        }
        #expect(released.count == 6)
    }

    @Test func commandsWaitWhileNoDeviceRuns() throws {
        let rig = Rig()
        let number = try #require(rig.pipeline.addStream(PlainSource { _ in 0.2 }))
        for step in 0..<1000 { rig.pipeline.setGain(PlaybackGain(percent: Double(step % 100)), stream: number) }
        rig.pipeline.setGain(PlaybackGain(percent: 50), stream: number)
        let last = rig.run(frames: 12).suffix(480)
        #expect(last.allSatisfy { abs($0 - 0.1) < 1e-4 })
    }

    @Test func loudMixIsNotClipped() throws {
        let rig = Rig()
        for pitch in [300.0, 410, 520, 630] {
            _ = try #require(rig.pipeline.addStream(PlainSource(Rig.tone(pitch, amplitude: 0.8))))
        }
        let played = rig.run(frames: 50)
        #expect(played.allSatisfy { abs($0) < 1 })
        #expect(rms(played[12_000...]) > 0.2)
    }

    @Test func metersFollowTheDecodedSound() throws {
        let rig = Rig()
        let source = PlainSource()
        let number = try #require(rig.pipeline.addStream(source))
        _ = rig.run(frames: 20)
        #expect(rig.streams.first?.level == .silence)
        source.sample = Rig.tone(amplitude: 0.5)
        _ = rig.run(frames: 11)
        #expect(abs((rig.streams.first?.level.dBov ?? -127) + 9) < 0.5, "shown within 100 ms")
        source.sample = { _ in 0 }
        _ = rig.run(frames: 90)
        #expect(rig.streams.first?.level == .silence, "dark within a second")
        #expect(rig.streams.first.map { $0.peak > .silence } == true)
        #expect(rig.streams.first?.stream == number)
    }

    @Test func reportsCarryTheSourcesStatistics() throws {
        let rig = Rig()
        let source = PlainSource()
        source.statistics.packetsLost = 42
        _ = rig.pipeline.addStream(source)
        _ = rig.run(frames: 20)
        #expect(rig.streams.first?.statistics.packetsLost == 42)
    }

    @Test func reportsComeTenTimesASecond() {
        let rig = Rig()
        _ = rig.run(frames: 200)
        #expect((19...21).contains(rig.reportCount))
    }

    @Test func dominantSpeakerIsNamed() throws {
        let rig = Rig()
        let source = PlainSource(Rig.tone(amplitude: 0.3))
        let number = try #require(rig.pipeline.addStream(source))
        _ = rig.pipeline.addStream(PlainSource())
        _ = rig.run(frames: 100)
        #expect(rig.report.dominantSpeaker == number)
        #expect(rig.streams.map(\.isSpeaking) == [true, false])
        source.sample = { _ in 0 }
        rig.pipeline.setEncoder(PlainEncoder())
        _ = rig.run(frames: 150, Rig.tone(amplitude: 0.3))
        #expect(rig.report.dominantSpeaker == AudioPipeline.own)
        #expect(rig.report.isOwnSpeaking)
    }

    @Test func mutedMicrophoneNeverTakesTheFloor() {
        let rig = Rig(isMuted: true)
        rig.pipeline.setEncoder(PlainEncoder())
        _ = rig.run(frames: 200, Rig.tone())
        #expect(rig.report.dominantSpeaker == nil)
    }

    @Test func lateTicksAndUnderrunsAreCounted() {
        let rig = Rig()
        _ = rig.run(frames: 50)
        #expect(rig.report.counters.lateTicks == 0)
        #expect(rig.report.counters.underruns == 0)
        rig.wait(.milliseconds(18))
        _ = rig.run(frames: 20)
        #expect(rig.report.counters.lateTicks == 2, "once captured, once played")
        #expect(rig.report.counters.underruns == 0, "20 ms of latency carried it")
        rig.wait(.milliseconds(50))
        _ = rig.run(frames: 20)
        #expect(rig.report.counters.underruns == 1)
        #expect(rig.report.counters.renderedFrames == 80 || rig.report.counters.renderedFrames == 90)
    }

    @Test func deviceWithoutLatencyHasNoUnderruns() {
        let rig = Rig()
        rig.playbackLatency = .zero
        _ = rig.run(frames: 20)
        rig.wait(.milliseconds(50))
        _ = rig.run(frames: 20)
        #expect(rig.report.counters.underruns == 0)
    }
}
