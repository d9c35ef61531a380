/// How a receiver chooses its delay.
package struct AudioReceiverSettings: Hashable, Sendable, BitwiseCopyable {
    /// The delay before the first packet is played: two frames of the device.
    package var startDelay = Duration.milliseconds(20)
    /// The least target delay: one frame of the device.
    package var minimumDelay = Duration.milliseconds(10)
    /// The largest target delay; what comes later is concealed.
    package var maximumDelay = Duration.milliseconds(500)

    package init() {}
}

/// A decoder and the RTP payload type that it serves.
package struct AudioDecoderEntry {
    package var payloadType: UInt8
    package var decoder: any AudioDecoder
    /// RTP clock of the payload type: 48,000 for Opus, 8,000 for G.711 and, by RFC 3551's old mistake, for G.722.
    package var rtpClockRateHz: Int

    package init(payloadType: UInt8, decoder: any AudioDecoder, rtpClockRateHz: Int) {
        self.payloadType = payloadType
        self.decoder = decoder
        self.rtpClockRateHz = rtpClockRateHz
    }
}
