import Foundation
import MediaEngine
import Primitives
import RTP
import Testing

@Suite struct PeerStatisticsTests {
    private func object(_ value: some Encodable) throws -> [String: Any] {
        let data = try JSONEncoder().encode(value)
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func membersHaveTheNamesOfTheStandard() throws {
        var inbound = InboundRTPStatistics(id: "in-1", timestamp: 1000, ssrc: 7, kind: "audio")
        var playout = AudioReceiverStatistics()
        playout.concealedSamples = 960
        playout.totalSamplesReceived = 96_000
        inbound.apply(RTPReceiveStream(clockRateHz: 48_000))
        inbound.apply(playout)
        let object = try object(inbound)
        #expect(object["type"] as? String == "inbound-rtp")
        #expect(object["id"] as? String == "in-1")
        #expect(object["ssrc"] as? Int == 7)
        #expect(object["concealedSamples"] as? Int == 960)
        #expect(object["totalSamplesDuration"] as? Double == 2)
        #expect(object["packetsLost"] as? Int == 0)
        #expect(object["mid"] == nil)
    }

    @Test func everyKindHasItsType() throws {
        var statistics = PeerStatistics()
        statistics.outbound = [.init(id: "o", timestamp: 0, ssrc: 1, kind: "audio")]
        statistics.remoteInbound = [.init(id: "ri", timestamp: 0, ssrc: 1, kind: "audio")]
        statistics.remoteOutbound = [.init(id: "ro", timestamp: 0, ssrc: 2, kind: "audio")]
        statistics.inbound = [.init(id: "i", timestamp: 0, ssrc: 2, kind: "audio")]
        statistics.candidatePairs = [
            .init(id: "p", timestamp: 0, localCandidateId: "l", remoteCandidateId: "r", state: "succeeded")
        ]
        statistics.localCandidates = [
            .init(isLocal: true, id: "l", timestamp: 0, transportId: "t", candidateType: .host)
        ]
        statistics.remoteCandidates = [
            .init(isLocal: false, id: "r", timestamp: 0, transportId: "t", candidateType: .serverReflexive)
        ]
        statistics.codecs = [
            .init(id: "c", timestamp: 0, payloadType: 111, transportId: "t", mimeType: "audio/opus")
        ]
        statistics.transports = [.init(id: "t", timestamp: 0, dtlsState: "connected")]
        statistics.dataChannels = [
            .init(id: "d", timestamp: 0, label: "chat", dataChannelIdentifier: 0, state: "open")
        ]
        for (key, value) in try object(statistics) {
            let entries = try #require(value as? [[String: Any]])
            #expect(entries.first?["type"] as? String == key)
        }
        let again = try JSONDecoder().decode(PeerStatistics.self, from: JSONEncoder().encode(statistics))
        #expect(again == statistics)
    }

    @Test func senderReportsBecomeRemoteStatistics() {
        var stream = RTPReceiveStream(clockRateHz: 48_000)
        _ = stream.receive(
            RTPHeader(
                payloadType: PayloadType(111), sequenceNumber: SequenceNumber(1), timestamp: 0, ssrc: SSRC(3)),
            payloadByteCount: 10, at: .zero)
        let report = SenderReport(
            sender: SSRC(3), ntp: NTPTime(unixNanoseconds: 1_500_000_000), rtpTimestamp: 0, packetCount: 5,
            byteCount: 50)
        stream.receive(report, at: .zero)
        var statistics = RemoteOutboundRTPStatistics(id: "ro", timestamp: 0, ssrc: 3, kind: "audio")
        statistics.apply(stream)
        #expect(statistics.packetsSent == 5)
        #expect(statistics.remoteTimestamp.map { abs($0 - 1500) < 0.001 } == true)
    }
}
