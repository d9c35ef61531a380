import Codecs
import ControlProtocol
import Devices
import MediaEngine
import Primitives
import Reactor
import SDP
import Signaling

/// The sound of the active call: who is played how loud, what the microphone does, which devices serve.
@EngineActor
final class AudioCoordinator {
    let path: AudioPath
    var microphone = MicrophonePolicy()
    var silence: SilencePolicy
    private(set) var volumes: [String: Int] = [:]
    /// The streams of the active call by participant.
    private(set) var streams: [String: Int32] = [:]
    private(set) var gainPercent: Int
    private(set) var volumePercent: Int
    private(set) var report = AudioReport()
    var warnings: [MicrophoneWarning] = []
    private var processing = AudioProcessingSettings.none
    private var isRinging = false
    /// Whether the ring sounds at a speaker of its own.
    private var ringsElsewhere = false
    private var isAttended = false
    /// Whether the active call is recorded here.
    var isRecording = false
    private var use: DeviceUse?
    private var talkTimer: EngineTimer?
    /// The call that has the devices.
    private(set) weak var activeCall: RoomCall?
    /// Called when something that consoles show has changed.
    var onChange: (() -> Void)?
    /// Called with each report of the audio thread.
    var onReport: ((AudioReport) -> Void)?
    /// Called with what happened, in a sentence.
    var onEvent: ((EventUpdate.Kind, String) -> Void)?
    let settings: Settings
    let sound: any SoundSystem

    init(settings: Settings, sound: any SoundSystem) {
        self.settings = settings
        self.sound = sound
        gainPercent = settings.integer("audio.gain")
        volumePercent = settings.integer("audio.volume")
        silence = SilencePolicy(silencesJoiners: settings.bool("call.silence-joiners"))
        path = AudioPath(isMuted: true, sending: Self.sendSettings(settings))
        path.onPacket = { [weak self] audio, payload in self?.activeCall?.send(audio, payload: payload) }
        path.onReport = { [weak self] report in
            self?.report = report
            self?.onReport?(report)
        }
        path.pipeline.setInputGain(PlaybackGain(percent: Double(gainPercent)))
        path.pipeline.setOutputGain(PlaybackGain(percent: Double(volumePercent)))
        microphone.hasDevice = sound.hasMicrophone
        microphone.talk = talkPolicy
        talkTimer = EngineTimer { [weak self] in self?.tickTalk() }
        sound.onChange = { [weak self] in self?.soundChanged() }
    }

    static func sendSettings(_ settings: Settings) -> AudioPath.SendSettings {
        var sending = AudioPath.SendSettings()
        sending.frameDuration = .milliseconds(settings.integer("audio.frame-ms"))
        sending.complexity = settings.integer("audio.complexity")
        sending.encoder.bitrate = settings.integer("audio.bitrate")
        return sending
    }

    /// Sends as is set, and as those who are sent it need it.
    func applySending() {
        path.apply((activeCall?.needs ?? ReceiverNeeds()).applied(to: Self.sendSettings(settings)))
    }

    /// Gives the devices to `call`, or to nobody (Q37, Q39).
    func activate(_ call: RoomCall?) {
        guard call !== activeCall else { return }
        stopRinging()
        activeCall = call
        applySending()
        applyMicrophone()
    }

    /// Applies what has changed about the microphone, the hold and the deafening, and tells the call's members.
    func applyMicrophone() {
        applyUse()
        microphone.listensOnly = activeCall?.role == .listener
        microphone.isAlone = activeCall?.members.isEmpty == true
        microphone.isHeld = activeCall.map(\.lifecycle.isHeld)
        // What is pushed while nothing can be sent does not open the microphone later.
        if microphone.whyNoTalk != nil { microphone.talk?.endAll() }
        talkTimer?.arm(at: microphone.talk?.deadline)
        path.pipeline.setMuted(microphone.mutesPipeline)
        path.pipeline.setHeld(microphone.isHeld == true)
        path.pipeline.setDeafened(microphone.isDeafened)
        sound.setCapture(microphone.capturesDevice)
        activeCall?.announce(status)
        onChange?()
    }

    /// What the others are told. Who has to push is not muted: each push would be news to everybody.
    var status: MemberStatus {
        MemberStatus(
            muted: microphone.pushedState != .live && microphone.pushedState != .onHold,
            held: microphone.isHeld == true,
            deafened: microphone.isDeafened, recording: isRecording)
    }

    func setGain(percent: Int) {
        gainPercent = percent
        path.pipeline.setInputGain(PlaybackGain(percent: Double(percent)))
        onChange?()
    }

    func setVolume(percent: Int) {
        volumePercent = percent
        path.pipeline.setOutputGain(PlaybackGain(percent: Double(percent)))
        onChange?()
    }

    func setVolume(percent: Int, of participant: String) {
        volumes[participant] = percent
        if let stream = streams[participant] {
            path.pipeline.setGain(PlaybackGain(percent: Double(percent)), stream: stream)
        }
    }

    func volumePercent(of participant: String) -> Int {
        volumes[participant] ?? 100
    }

    /// Chooses devices by their stable names, from now on; `nil` leaves one as it is.
    func select(input: String?, output: String?) throws(RPCError) {
        try sound.select(input: input, output: output)
        if let input { try settings.set("audio.input", to: .string(input)) }
        if let output { try settings.set("audio.output", to: .string(output)) }
    }

    /// Silences one person, or lets them be heard (Q11).
    func setSilenced(_ isSilenced: Bool, _ participant: String) throws(CallError) {
        try silence.setSilenced(isSilenced, participant)
        applySilence()
    }

    func setEveryoneSilenced(_ isSilenced: Bool) {
        silence.setEveryone(isSilenced)
        applySilence()
        onChange?()
    }

    private func applySilence() {
        for (participant, stream) in streams {
            path.pipeline.setSilenced(silence.isSilenced(participant), stream: stream)
        }
    }

    /// Rings here, with or without a call: at the speaker that is set for it, and in the ears of who is in a call.
    func ring() {
        isRinging = true
        ringsElsewhere = sound.ring()
        applyUse()
        if use == .call || !ringsElsewhere { path.pipeline.play(.ring) }
    }

    func stopRinging() {
        guard isRinging else { return }
        isRinging = false
        sound.stopRinging()
        path.pipeline.stopRinging()
        applyUse()
    }

    /// Mutes, or lets be heard again, by somebody's wish; a soft tone says which, if those are wished.
    func setMuted(_ isMuted: Bool) {
        if isMuted != microphone.isMuted { play(isMuted ? .muted : .unmuted) }
        microphone.isMuted = isMuted
        applyMicrophone()
    }

    /// Plays a soft tone of a call that goes on, here only, if they are wished.
    func play(_ tone: Tone) {
        if activeCall != nil, settings.bool("audio.tones") { path.pipeline.play(tone) }
    }

    /// Says whether a person sits at a console.
    func setAttended(_ isAttended: Bool) {
        guard self.isAttended != isAttended else { return }
        self.isAttended = isAttended
        applyMicrophone()
    }

    /// Opens the microphone for its level while there is no call, because somebody looks at it; nothing is sent.
    func setMetered(_ isMetered: Bool) {
        guard microphone.isMetered != isMetered else { return }
        microphone.isMetered = isMetered
        applyMicrophone()
    }

    /// Opens the devices when something needs them, and gives them back when nothing does: anew for each use (Q37, Q39).
    private func applyUse() {
        let isMetered = microphone.isMetered && !microphone.isClosed && sound.hasSource
        // Alone in a room that nobody here looks at, as a host that serves it for others is, there is nothing to hear.
        let isCalling = activeCall.map { isAttended || !$0.members.isEmpty } ?? false
        let wanted: DeviceUse? = isCalling ? .call : isRinging && !ringsElsewhere ? .ring : isMetered ? .meter : nil
        let former = use
        guard wanted != former else { return }
        // Noted first: the devices tell of their change at once, which comes by here again.
        use = wanted
        if former != nil { sound.deactivate() }
        if wanted != nil { sound.activate(path.pipeline) }
    }

    /// Whether the microphone is open for its level alone.
    var isMetering: Bool {
        use == .meter
    }

    private func soundChanged() {
        microphone.hasDevice = sound.hasMicrophone
        applyUse()
        applyProcessing()
        onChange?()
    }

    /// Runs the stages that are set and make sense with the devices in use; with none of them, nothing at all.
    func applyProcessing() {
        let wanted = sound.processing
        guard wanted != processing else { return }
        let hadProcessor = processing != .none
        processing = wanted
        do {
            if wanted == .none {
                path.pipeline.setProcessor(nil)
            } else if hadProcessor {
                path.pipeline.apply(wanted)
            } else {
                path.pipeline.setProcessor(try VoiceProcessor(wanted))
            }
        } catch {
            Log.warning("audio", "the microphone is not processed: \(error)")
            path.pipeline.setProcessor(nil)
        }
    }
}

/// What the devices are open for.
private enum DeviceUse {
    case call
    case ring
    case meter
}

extension AudioCoordinator: CallMedia {
    func addStream(of participant: String, formats: [AudioParameters.Format]) -> Int32? {
        silence.joined(participant)
        let stream = path.addStream(
            formats, gain: PlaybackGain(percent: Double(volumePercent(of: participant))),
            isSilenced: silence.isSilenced(participant))
        streams[participant] = stream
        return stream
    }

    func removeStream(_ stream: Int32) {
        path.removeStream(stream)
        if let participant = streams.first(where: { $0.value == stream })?.key { streams[participant] = nil }
    }

    func insert(_ packet: AudioPacket, payload: UnsafeRawBufferPointer) {
        path.pipeline.deliver(packet, payload: payload)
    }

    func callHeld(_ call: RoomCall, _ isHeld: Bool) {
        if call === activeCall { applyMicrophone() }
    }

    func needsChanged(of call: RoomCall) {
        if call === activeCall { applySending() }
    }

    func playout(of stream: Int32) -> AudioReceiverStatistics? {
        path.report(on: stream)?.statistics
    }

    func presentation(of stream: Int32) -> StreamSynchronizer.Presentation? {
        path.report(on: stream)?.presentation
    }

    func setSyncDelay(_ delay: Duration, of stream: Int32) {
        path.pipeline.setSyncDelay(delay, stream: stream)
    }
}
