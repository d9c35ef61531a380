import MediaEngine
import Primitives
import RTP
import SDP

/// What was agreed on, in the words of the streams.
extension VideoParameters {
    /// Whether packets of this type are pictures, or repeat some.
    func takes(_ type: PayloadType) -> Bool {
        isOriginal(type) || receiving.contains { $0.retransmission == type }
    }

    func isOriginal(_ type: PayloadType) -> Bool {
        receiving.contains { $0.payloadType == type }
    }

    /// The number at which the peer takes this encoding; `nil`: it does not.
    func format(of codec: VideoCodec) -> VideoFormat? {
        sendable.first { VideoCodec($0.codec) == codec }
    }

    /// Whether only the direction differs.
    func isSameStream(as other: VideoParameters) -> Bool {
        var same = self
        same.direction = other.direction
        return same == other
    }

    var receiverConfiguration: VideoReceiver.Configuration {
        var configuration = VideoReceiver.Configuration(
            codecs: receiving.reduce(into: [:]) { $0[$1.payloadType] = VideoCodec($1.codec) })
        for format in receiving {
            if let type = format.retransmission { configuration.retransmissions[type] = format.payloadType }
        }
        configuration.usesNACK = feedback.contains(.nack)
        configuration.usesFIR = feedback.contains(.fullIntraRequest) && !feedback.contains(.pictureLoss)
        return configuration
    }

    /// What the peer needs to know of each packet's departure to tell of the path.
    var departure: DepartureExtension? {
        guard feedback.contains(.transportWide), let id = transportSequenceExtension else {
            return sendTimeExtension.map { .time(id: $0) }
        }
        return .sequenceNumber(id: id)
    }
}

extension VideoCodec {
    init(_ codec: NegotiatedVideoCodec) {
        switch codec {
        case .vp8: self = .vp8
        case .vp9: self = .vp9
        }
    }
}

extension NegotiationConfiguration.LocalVideo {
    /// Everything that can be sent and taken, this codec first.
    init(preferring codec: VideoCodec) {
        self.init()
        codecs = NegotiatedVideoCodec.allCases.sorted { a, _ in VideoCodec(a) == codec }
        feedback = [.nack, .pictureLoss, .fullIntraRequest, .maximumBitrate, .transportWide]
    }
}
