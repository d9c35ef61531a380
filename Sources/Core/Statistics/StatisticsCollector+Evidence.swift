import ControlProtocol
import Foundation
import MediaEngine
import Primitives
import Signaling

/// What is kept of a second.
extension StatisticsCollector {
    func samples(
        of call: RoomCall, _ people: [MemberID: ParticipantFigures], at now: MonoTime
    ) -> [EvidenceSample] {
        let time = CallController.milliseconds(Date())
        return call.members.compactMap { member in
            guard let peer = call.peers[member.id], let figures = people[member.id] else { return nil }
            var sample = EvidenceSample(time: time, call: call.id, room: call.room)
            sample.participant = member.id.rawValue
            sample.name = call.name(of: member.id)
            sample.roundTripMs = figures.roundTripMs
            sample.mos = figures.mos
            sample.take(received: figures.received, peer.history.received.lastSecond(at: now))
            sample.take(sent: figures.sent, peer.history.sent.lastSecond(at: now))
            sample.pictureWidth = figures.video?.width
            sample.pictureHeight = figures.video?.height
            sample.pictureFps = figures.video?.framesPerSecond
            sample.pictureKbps = figures.video?.bitrateKbps
            sample.pictureFreezes = figures.video?.freezeCount
            return sample
        }
    }
}

extension EvidenceSample {
    fileprivate mutating func take(received figures: StreamFigures?, _ second: LossBucket) {
        receivedLost = figures?.lostCount
        receivedLossPercent = second.lossRatio.map(\.percent)
        latePercent = second.lateRatio.map(\.percent)
        concealedPercent = second.concealedRatio.map(\.percent)
        burstLength = second.meanBurst.map { $0.rounded(places: 1) }
        repairedPercent = figures?.repairedPercent
        jitterMs = figures?.jitterMs
        bufferMs = figures?.bufferMs
        receivedKbps = figures?.bitrateKbps
    }

    fileprivate mutating func take(sent figures: StreamFigures?, _ second: LossBucket) {
        sentLost = figures?.lostCount
        sentLossPercent = second.lossRatio.map(\.percent)
        sentJitterMs = figures?.jitterMs
        sentKbps = figures?.bitrateKbps
    }
}
