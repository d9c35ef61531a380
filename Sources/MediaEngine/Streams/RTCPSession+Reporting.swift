import Primitives
import RTP

extension RTCPSession {
    /// One regular report: SR for each stream that sends, or one RR; reference times and answers to them; the names.
    mutating func makeReport(at now: MonoTime) -> [RTCPPacket] {
        let now64 = ntp(at: now)
        let blocks = makeReportBlocks(at: now)
        var packets: [RTCPPacket] = []
        for sender in senders where sender.hasSent(within: Self.senderPeriod, of: now) {
            guard var report = sender.senderReport(ntp: now64, at: now) else { continue }
            report.blocks = packets.isEmpty ? blocks : []
            packets.append(.senderReport(report))
        }
        counters.senderReportCount += packets.count
        let sends = !packets.isEmpty
        if !sends {
            packets.append(.receiverReport(.init(sender: reporter, blocks: blocks)))
        }
        packets.append(.sourceDescription(localSources.map(describe)))
        if let extended = makeExtendedReport(ntp: sends ? nil : now64, at: now) {
            packets.append(.extendedReport(extended))
        }
        return packets
    }

    private var reporter: SSRC {
        senders.first?.ssrc ?? configuration.localSSRC
    }

    private func describe(_ source: SSRC) -> SourceDescription {
        SourceDescription(source: source, canonicalName: configuration.canonicalName)
    }

    private mutating func makeReportBlocks(at now: MonoTime) -> [ReportBlock] {
        var blocks: [ReportBlock] = []
        for index in receivers.indices {
            if let block = receivers[index].makeReportBlock(at: now) {
                blocks.append(block)
            }
        }
        return blocks
    }

    /// `ntp` is attached as a reference time; `nil`: sender reports serve for that.
    private mutating func makeExtendedReport(ntp: NTPTime?, at now: MonoTime) -> ExtendedReport? {
        var blocks: [ExtendedReport.Block] = ntp.map { [.referenceTime($0)] } ?? []
        if !references.isEmpty {
            blocks.append(.delays(references.map { $0.answer(at: now) }))
            references.removeAll(keepingCapacity: true)
        }
        return blocks.isEmpty ? nil : ExtendedReport(sender: reporter, blocks: blocks)
    }
}

extension RTCPSession.ReceivedReference {
    fileprivate func answer(at now: MonoTime) -> ExtendedReport.Delay {
        ExtendedReport.Delay(
            receiver: receiver, lastReferenceTime: middle,
            delaySinceLastReferenceTime: UInt32(clamping: (now - arrival).rtpTicks(rateHz: 65_536)))
    }
}
