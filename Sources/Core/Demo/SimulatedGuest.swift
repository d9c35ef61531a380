import ControlProtocol
import Devices
import MediaEngine
import Primitives
import Reactor
import SDP
import Signaling
import Transport

/// A guest of the demonstration: a member of the room with a microphone, a speaker, codecs and real peer connections.
@EngineActor
final class SimulatedGuest {
    let name: String
    let link: GuestLink
    private let path: AudioPath
    private let sending: AudioPath.SendSettings
    private let sound: NullSoundSystem
    private let video: VideoCoordinator
    private var call: RoomCall?

    static let names = ["ada", "bob", "chi", "dee", "eve", "fay", "gil"]

    init(index: Int, schedule: TurnSchedule, breaksKeys: Bool) throws {
        name = Self.names[index % Self.names.count]
        link = GuestLink.link(of: index)
        var sending = AudioPath.SendSettings()
        // Packets in the pauses too: the loss of some hundred packets says more than that of a few.
        sending.encoder.usesDTX = false
        // Several guests share the processor with the call that they demonstrate.
        sending.complexity = 5
        self.sending = sending
        path = AudioPath(isMuted: false, sending: sending)
        sound = NullSoundSystem(microphone: GuestVoice(guest: index, schedule: schedule))
        // No such file: everything as it is when nothing is written there.
        video = VideoCoordinator(settings: Settings(path: "/nonexistent/\(name).conf"))
        video.select(.pattern(index % TestPattern.count))
        video.isMuted = false
        var transport = TransportConfiguration()
        transport.localAddresses = .only(["127.0.0.1"])
        transport.impairment = link.makeLink()
        transport.breaksKeys = breaksKeys
        settings = RoomCall.Settings(
            name: name, identity: try DTLSIdentity(), transport: transport, videoCodec: .vp8)
    }

    private let settings: RoomCall.Settings

    func join(_ link: RoomLink) {
        let call = RoomCall(
            id: name, room: link.room.text, host: link.host, isServedHere: false, settings: settings, media: self)
        call.client = RoomClient(
            link: link, name: name, identity: RoomClient.makeSecret(),
            capabilities: RoomCall.capabilities, onEvent: { [weak call] in call?.took($0) })
        path.onPacket = { [weak call] audio, payload in call?.send(audio, payload: payload) }
        call.pictures = video
        self.call = call
        video.activate(call)
        sound.activate(path.pipeline)
        sound.setCapture(true)
        call.request(.start)
    }

    func leave() {
        call?.request(.end())
        call = nil
        video.activate(nil)
        video.shutDown()
        sound.deactivate()
    }
}

extension SimulatedGuest: CallMedia {
    func addStream(of participant: String, formats: [AudioParameters.Format]) -> Int32? {
        path.addStream(formats, gain: .unity, isSilenced: false)
    }

    func removeStream(_ stream: Int32) {
        path.removeStream(stream)
    }

    func insert(_ packet: AudioPacket, payload: UnsafeRawBufferPointer) {
        path.pipeline.deliver(packet, payload: payload)
    }

    func callHeld(_ call: RoomCall, _ isHeld: Bool) {
        path.pipeline.setHeld(isHeld)
    }

    func needsChanged(of call: RoomCall) {
        path.apply(call.needs.applied(to: sending))
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
