import MediaEngine
import Primitives
import Testing

@Suite struct CaptureTests {
    @Test(arguments: [480, 960, 1920, 2880])
    func packetsCarryTheEncodersFrames(frameSampleCount: Int) {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder(frameSampleCount: frameSampleCount))
        _ = rig.run(frames: 60, Rig.tone())
        #expect(rig.packets.count == 60 * 480 / frameSampleCount)
        for (index, packet) in rig.packets.enumerated() {
            #expect(packet.header.timestamp == UInt32(index * frameSampleCount))
            #expect(packet.header.sampleCount == Int32(frameSampleCount))
            #expect(packet.header.marker == (index == 0))
        }
        #expect(rig.rings.count >= rig.packets.count)
    }

    @Test func eachEncoderGetsEverythingUnderItsNumber() {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder())
        rig.pipeline.setEncoder(PlainEncoder(frameSampleCount: 480), number: 2)
        _ = rig.run(frames: 20, Rig.tone())
        let packets = Dictionary(grouping: rig.packets, by: \.header.encoder)
        #expect(packets.mapValues(\.count) == [0: 10, 2: 20])
        #expect(packets[2]?.map(\.header.timestamp) == (0..<20).map { $0 * 480 })
        let sound = packets.mapValues { $0.flatMap(\.payload) }
        #expect(sound[0] == sound[2])
        rig.pipeline.setEncoder(nil, number: 0)
        rig.forgetPackets()
        _ = rig.run(frames: 20, Rig.tone())
        #expect(rig.packets.count == 20 && rig.packets.allSatisfy { $0.header.encoder == 2 })
        #expect(rig.report.isSending)
    }

    @Test func packetsTellLevelVoiceAndTime() throws {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder())
        _ = rig.run(frames: 20, Rig.tone(amplitude: 0.1))
        let header = try #require(rig.packets.last?.header)
        #expect(abs(header.level.dBov + 23) < 0.2)
        #expect(header.hasVoice)
        // The last packet began two frames before the end; its sound is 10 ms older still.
        #expect(header.captureTime == MonoTime.zero + .milliseconds(1000 + 180 - 10))
    }

    @Test func silenceHasNoVoice() throws {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder())
        _ = rig.run(frames: 20)
        let header = try #require(rig.packets.last?.header)
        #expect(header.level == .silence)
        #expect(!header.hasVoice)
    }

    @Test func startedMutedSendsNothingAtAll() {
        let rig = Rig(isMuted: true)
        rig.pipeline.setEncoder(PlainEncoder())
        _ = rig.run(frames: 200, Rig.tone())
        #expect(rig.packets.isEmpty)
        #expect(rig.report.isMuted && !rig.report.isSending)
        #expect(rig.report.ownLevel.dBov > -20, "the own meter moves under mute")
    }

    @Test(arguments: [0, 1])
    func noPacketLeavesAfterMute(frames: Int) {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder())
        _ = rig.run(frames: 20 + frames, Rig.tone())
        rig.forgetPackets()
        rig.pipeline.setMuted(true)
        _ = rig.run(frames: 200, Rig.tone())
        #expect(rig.packets.isEmpty)
    }

    @Test func unmutedSoundBeginsMarkedAndWithoutAClick() throws {
        let rig = Rig(isMuted: true)
        rig.pipeline.setEncoder(PlainEncoder(frameSampleCount: 480))
        _ = rig.run(frames: 33) { _ in 0.5 }
        rig.pipeline.setMuted(false)
        _ = rig.run(frames: 5) { _ in 0.5 }
        let first = try #require(rig.packets.first)
        #expect(first.header.marker)
        #expect(first.header.timestamp == 33 * 480, "the stream's clock runs on under mute")
        #expect(rig.packets.dropFirst().allSatisfy { !$0.header.marker })
        let samples = first.payload.withUnsafeBytes { Array($0.assumingMemoryBound(to: Int16.self)) }
        #expect(samples[0] < 600)
        #expect(samples == samples.sorted())
    }

    @Test func marksTheFirstVoiceAfterDiscontinuousTransmission() {
        let rig = Rig()
        let encoder = PlainEncoder(frameSampleCount: 480)
        rig.pipeline.setEncoder(encoder)
        _ = rig.run(frames: 10, Rig.tone())
        encoder.isQuiet = true
        _ = rig.run(frames: 50)
        encoder.isQuiet = false
        rig.forgetPackets()
        _ = rig.run(frames: 3)
        #expect(rig.packets.count == 3)
        #expect(rig.packets.allSatisfy { !$0.header.marker }, "a refresh of the noise is no beginning")
        _ = rig.run(frames: 3, Rig.tone())
        #expect(rig.packets.map(\.header.marker) == [false, false, false, true, false, false])
    }

    @Test func holdSendsNothingAndGivesMuteBack() {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder())
        rig.pipeline.setMuted(true)
        rig.pipeline.setHeld(true)
        rig.pipeline.setHeld(true)
        _ = rig.run(frames: 20, Rig.tone())
        rig.pipeline.setHeld(false)
        _ = rig.run(frames: 20, Rig.tone())
        #expect(rig.packets.isEmpty && rig.report.isMuted && !rig.report.isHeld)
        rig.pipeline.setHeld(true)
        rig.pipeline.setMuted(false)
        _ = rig.run(frames: 20, Rig.tone())
        #expect(rig.packets.isEmpty && rig.report.isHeld)
        rig.pipeline.setHeld(false)
        _ = rig.run(frames: 20, Rig.tone())
        #expect(!rig.packets.isEmpty)
    }

    @Test func withoutAnEncoderNothingIsSent() {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder())
        _ = rig.run(frames: 10, Rig.tone())
        rig.pipeline.setEncoder(nil)
        rig.forgetPackets()
        _ = rig.run(frames: 20, Rig.tone())
        #expect(rig.packets.isEmpty && !rig.report.isSending)
    }

    @Test func encoderSettingsReachTheEncoder() {
        let rig = Rig()
        let encoder = PlainEncoder()
        rig.pipeline.setEncoder(encoder)
        var settings = AudioEncoderSettings()
        settings.expectedLossPercent = 12
        rig.pipeline.apply(settings)
        rig.tick()
        #expect(encoder.settings.expectedLossPercent == 12)
    }

    @Test func inputGainComesBeforeTheMeter() {
        let rig = Rig()
        rig.pipeline.setInputGain(PlaybackGain(percent: 200))
        _ = rig.run(frames: 30, Rig.tone(amplitude: 0.1))
        #expect(abs(rig.report.ownLevel.dBov + 17) < 0.3)
    }

    @Test func processorCleansWhatIsSentAndHearsWhatIsPlayed() throws {
        let rig = Rig()
        let processor = PlainProcessor()
        rig.pipeline.setEncoder(PlainEncoder())
        rig.pipeline.setProcessor(processor)
        _ = rig.pipeline.addStream(PlainSource(Rig.tone(amplitude: 0.3)))
        let played = rig.run(frames: 20, Rig.tone(amplitude: 0.2))
        #expect(processor.heard == played)
        #expect(processor.delays.last == .milliseconds(30), "10 ms of capture and 20 ms of playback")
        let header = try #require(rig.packets.last?.header)
        #expect(abs(header.level.dBov + 23) < 0.2, "half of what was captured")
        #expect(abs(rig.report.ownLevel.dBov + 17) < 0.3, "the own meter shows the microphone")
        var settings = AudioProcessingSettings()
        settings.cancelsEcho = false
        rig.pipeline.apply(settings)
        rig.tick()
        #expect(processor.settings == settings)
    }

    @Test func speakingWhileMutedIsNoticed() {
        let rig = Rig(isMuted: true)
        _ = rig.run(frames: 60)
        #expect(!rig.report.isSpeakingWhileMuted)
        _ = rig.run(frames: 60, Rig.tone())
        #expect(rig.report.isSpeakingWhileMuted)
        _ = rig.run(frames: 80)
        #expect(!rig.report.isSpeakingWhileMuted)
        rig.pipeline.setMuted(false)
        _ = rig.run(frames: 60, Rig.tone())
        #expect(!rig.report.isSpeakingWhileMuted)
    }

    @Test func coughUnderMuteIsNotSpeaking() {
        let rig = Rig(isMuted: true)
        _ = rig.run(frames: 60)
        _ = rig.run(frames: 10, Rig.tone())
        _ = rig.run(frames: 10)
        #expect(!rig.report.isSpeakingWhileMuted)
    }

    @Test func fiveSecondsOfZerosAreADeadInput() {
        let rig = Rig()
        _ = rig.run(frames: 490)
        #expect(!rig.report.isInputDead)
        _ = rig.run(frames: 30)
        #expect(rig.report.isInputDead)
        _ = rig.run(frames: 20) { $0 == 100 ? 1e-4 : 0 }
        #expect(!rig.report.isInputDead)
    }

    @Test func clockRunsOnThroughAClosedMicrophone() throws {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder())
        _ = rig.run(frames: 10, Rig.tone())
        rig.wait(.seconds(2))
        rig.forgetPackets()
        _ = rig.run(frames: 10, Rig.tone())
        let first = try #require(rig.packets.first?.header)
        #expect(first.timestamp == 10 * 480 + 96_000)
        #expect(first.marker)
    }

    @Test func closedMicrophoneLeavesADarkMeter() {
        let rig = Rig(isMuted: true)
        _ = rig.run(frames: 60, Rig.tone())
        #expect(rig.report.isSpeakingWhileMuted && rig.report.ownLevel.dBov > -20)
        for _ in 0..<100 {
            _ = rig.render()
            rig.wait(.milliseconds(10))
            rig.drain()
        }
        #expect(rig.report.ownLevel == .silence)
        #expect(!rig.report.isSpeakingWhileMuted)
    }

    @Test func nonsenseFromTheDeviceIsSilence() throws {
        let rig = Rig()
        rig.pipeline.setEncoder(PlainEncoder())
        _ = rig.run(frames: 4) { $0 % 2 == 0 ? .nan : .infinity }
        #expect(try #require(rig.packets.last?.header).level == .silence)
    }
}
