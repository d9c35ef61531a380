import ControlProtocol
import Foundation
import MediaEngine
import Primitives
import Reactor
import Signaling
import Transport

/// Measures the active call once a second, and tells the figures of the panels once a statistics interval (Q63, Q64).
@EngineActor
final class StatisticsCollector {
    private let calls: CallController
    let audio: AudioCoordinator
    let video: VideoCoordinator
    private let settings: Settings
    private var meters: [MemberID: PeerMeter] = [:]
    private var videoMeters: [MemberID: VideoMeter] = [:]
    var qualities: [MemberID: NetworkQuality] = [:]
    private var usage = ProcessUsage()
    private let lag = LoopLag(isRunning: false)
    private var timer: EngineTimer?
    private var secondsToUpdate = 1
    private var secondsToReport = 5
    private(set) var latest = StatisticsUpdate()
    var onUpdate: ((StatisticsUpdate) -> Void)?
    /// Called once a second with what is to be kept of the active call.
    var onSecond: ((RoomCall, [EvidenceSample]) -> Void)?

    init(calls: CallController, audio: AudioCoordinator, video: VideoCoordinator, settings: Settings) {
        self.calls = calls
        self.audio = audio
        self.video = video
        self.settings = settings
        timer = EngineTimer { [weak self] in self?.tick() }
    }

    func start() {
        timer?.arm(after: .seconds(1))
    }

    func stop() {
        timer = nil
    }

    func settingChanged(_ name: String) {
        if name == "call.statistics-interval" { secondsToUpdate = 1 }
        if name == "call.report-interval" { secondsToReport = 1 }
    }

    /// The rates of a peer's streams.
    func meter(of member: MemberID) -> PeerMeter {
        meters[member] ?? PeerMeter()
    }

    /// The rates of a peer's pictures.
    func videoMeter(of member: MemberID) -> VideoMeter {
        videoMeters[member] ?? VideoMeter()
    }

    /// What the jitter buffer of a peer's stream has counted.
    func playout(of peer: PeerSession) -> AudioReceiverStatistics? {
        calls.activeCall?.streams[peer.member.id].flatMap { audio.playout(of: $0) }
    }

    func presentation(of peer: PeerSession) -> StreamSynchronizer.Presentation? {
        calls.activeCall?.streams[peer.member.id].flatMap { audio.presentation(of: $0) }
    }

    private func tick() {
        timer?.arm(after: .seconds(1))
        let now = MonoTime.now()
        lag.isRunning = calls.activeCall?.members.isEmpty == false
        guard let call = calls.activeCall else {
            meters = [:]
            videoMeters = [:]
            qualities = [:]
            return
        }
        measure(call, at: now)
        let people = call.peers.mapValues { figures(of: $0, playout: playout(of: $0), at: now) }
        onSecond?(call, samples(of: call, people, at: now))
        secondsToUpdate -= 1
        if secondsToUpdate <= 0 {
            secondsToUpdate = settings.integer("call.statistics-interval")
            latest = makeUpdate(call, people, at: now)
            onUpdate?(latest)
        }
        secondsToReport -= 1
        if secondsToReport <= 0 {
            secondsToReport = settings.integer("call.report-interval")
            for peer in call.peers.values {
                Log.debug("stats", "\(peer.member.name): " + text(of: peer).replacing("\n", with: " / "))
            }
        }
    }

    private func measure(_ call: RoomCall, at now: MonoTime) {
        for (id, peer) in call.peers {
            let transport = peer.transport.statistics
            meters[id, default: PeerMeter()].measure(
                sent: peer.rtcp.senders[0].payloadByteCount,
                received: UInt64(clamping: peer.rtcp.receivers[0].counters.payloadByteCount),
                transportSent: transport.bytesSent, transportReceived: transport.bytesReceived, at: now)
            measureVideo(peer, with: &videoMeters[id, default: VideoMeter()], at: now)
        }
        meters = meters.filter { call.peers[$0.key] != nil }
        videoMeters = videoMeters.filter { call.peers[$0.key] != nil }
        qualities = qualities.filter { call.peers[$0.key] != nil }
    }

    private func makeUpdate(
        _ call: RoomCall, _ people: [MemberID: ParticipantFigures], at now: MonoTime
    ) -> StatisticsUpdate {
        var update = StatisticsUpdate()
        for (id, figures) in people { update.people[id.rawValue] = figures }
        let matrix = lossMatrix(of: call, at: now)
        for speaker in matrix.members {
            for listener in matrix.members where speaker != listener {
                guard let loss = matrix[speaker: speaker, listener: listener] else { continue }
                update.lossMatrix[speaker, default: [:]][listener] = loss.percent
            }
        }
        let verdict = LossVerdict(matrix)
        if verdict != .clean {
            update.verdict = verdict.sentence(me: "me") { call.name(of: MemberID($0)) }
        }
        update.reachable = call.members.count
        update.reached = call.peers.values.count { isReached($0, at: now) }
        update.box = boxFigures(call)
        return update
    }

    /// Whether the peer has lately reported that it receives us.
    private func isReached(_ peer: PeerSession, at now: MonoTime) -> Bool {
        guard let reception = peer.rtcp.remoteReception(of: peer.rtcp.senders[0].ssrc),
            let report = reception.lastReport
        else { return false }
        return now - report < .seconds(4) && reception.fractionLost < 1
    }

    private func lossMatrix(of call: RoomCall, at now: MonoTime) -> LossMatrix<String> {
        var matrix = LossMatrix(members: ["me"] + call.members.map(\.id.rawValue))
        for (id, peer) in call.peers {
            matrix[speaker: id.rawValue, listener: "me"] = peer.history.received.window(at: now).lossRatio
            matrix[speaker: "me", listener: id.rawValue] = peer.history.sent.window(at: now).lossRatio
        }
        for (listener, report) in call.reports {
            for loss in report.losses where loss.sender != call.client?.id {
                guard loss.expected > 0 else { continue }
                matrix[speaker: loss.sender.rawValue, listener: listener.rawValue] =
                    Double(loss.lost) / Double(loss.expected)
            }
        }
        return matrix
    }

    private func boxFigures(_ call: RoomCall) -> BoxFigures {
        var box = BoxFigures()
        let counters = audio.report.counters
        box.underruns = Int(clamping: counters.underruns) + audio.sound.underrunCount
        box.lateTicks = Int(clamping: counters.lateTicks) + lag.totalLateCount
        box.socketDrops = call.peers.values.reduce(0) {
            let drops = $1.transport.statistics.drops
            return $0 + drops.socketOverflow + drops.socketRefused
        }
        box.ringDrops = Int(clamping: counters.refusedSentPackets + counters.refusedReceivedPackets)
        box.cpuPercent = usage.takeCPUPercent().rounded(places: 1)
        box.residentMB = ProcessUsage.residentMB().map { $0.rounded(places: 1) }
        return box
    }
}
