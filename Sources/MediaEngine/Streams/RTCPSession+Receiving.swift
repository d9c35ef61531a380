package import Primitives
import RTP

extension RTCPSession {
    /// Takes one decrypted RTCP datagram of the peer.
    package mutating func receive(_ datagram: RawSpan, at now: MonoTime, into out: inout Outbox<Event>) {
        counters.receivedDatagramCount += 1
        counters.receivedByteCount += datagram.byteCount
        guard let compound = try? RTCPCompound(parsing: datagram) else {
            counters.unframedCount += 1
            return
        }
        counters.malformedCount += compound.malformedCount
        counters.skippedCount += compound.skippedCount
        for packet in compound.packets {
            receive(packet, at: now, into: &out)
        }
    }

    private mutating func receive(_ packet: RTCPPacket, at now: MonoTime, into out: inout Outbox<Event>) {
        switch packet {
        case .senderReport(let report):
            receive(report, at: now, into: &out)
            receive(report.blocks, at: now, into: &out)
        case .receiverReport(let report): receive(report.blocks, at: now, into: &out)
        case .sourceDescription: break
        case .goodbye(let goodbye): out.emit(.goodbye(goodbye.sources, reason: goodbye.reason))
        case .nack(let nack): out.emit(.packetsMissing(nack.media, nack.missing))
        case .pictureLoss(_, let media):
            if let index = senders.firstIndex(where: { $0.ssrc == media }) { senders[index].pictureLossCount += 1 }
            out.emit(.keyFrameWanted(media))
        case .fullIntraRequest(let request): receive(request, into: &out)
        case .maximumBitrate(let bitrate): out.emit(.bitrateLimited(bitrate.bitsPerSecond))
        case .transportFeedback(let feedback): out.emit(.packetsArrived(feedback))
        case .extendedReport(let report): receive(report, at: now, into: &out)
        }
    }

    private mutating func receive(_ report: SenderReport, at now: MonoTime, into out: inout Outbox<Event>) {
        for index in receivers.indices {
            receivers[index].receive(report, at: now)
        }
        out.emit(.senderReported(report.sender))
    }

    private mutating func receive(_ blocks: [ReportBlock], at now: MonoTime, into out: inout Outbox<Event>) {
        for block in blocks {
            guard let sender = senders.first(where: { $0.ssrc == block.source }) else { continue }
            receptions[block.source, default: RemoteReception(first: sender.origin.sequenceNumber)]
                .apply(block, clockRateHz: sender.clockRateHz, at: now)
            out.emit(.receptionReported(block.source))
            measure(sent: block.lastSenderReport, delay: block.delaySinceLastSenderReport, at: now, into: &out)
        }
    }

    private mutating func receive(_ request: FullIntraRequest, into out: inout Outbox<Event>) {
        for entry in request.entries {
            guard let index = senders.firstIndex(where: { $0.ssrc == entry.media }),
                lastIntraRequest.updateValue(entry.number, forKey: entry.media) != entry.number
            else { continue }
            senders[index].intraRequestCount += 1
            out.emit(.keyFrameWanted(entry.media))
        }
    }

    private mutating func receive(_ report: ExtendedReport, at now: MonoTime, into out: inout Outbox<Event>) {
        for block in report.blocks {
            switch block {
            case .referenceTime(let time):
                remember(time, of: report.sender, at: now)
            case .delays(let delays):
                for delay in delays where localSources.contains(delay.receiver) {
                    measure(
                        sent: delay.lastReferenceTime, delay: delay.delaySinceLastReferenceTime, at: now, into: &out)
                }
            case .voiceMetrics:
                break
            }
        }
    }

    private mutating func remember(_ time: NTPTime, of receiver: SSRC, at now: MonoTime) {
        references.removeAll { $0.receiver == receiver }
        guard references.count < Self.maximumReferenceCount else { return }
        references.append(ReceivedReference(receiver: receiver, middle: time.middle, arrival: now))
    }

    private mutating func measure(
        sent: UInt32, delay: UInt32, at now: MonoTime, into out: inout Outbox<Event>
    ) {
        if let time = roundTrip.measure(sent: sent, delay: delay, arrival: ntp(at: now).middle) {
            out.emit(.roundTrip(time))
        }
    }
}
