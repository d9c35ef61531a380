import Primitives

/// The text report of one peer: the layout of `statsString` (Q65–Q73), byte for byte. Lines of streams that do not exist
/// are left out.
package struct StatsText: Hashable, Sendable {
    /// The CN line.
    package struct Connection: Hashable, Sendable {
        /// `nil`: not measured yet; shown as `–`.
        package var roundTrip: Duration?
        package var localType: CandidateType
        package var remoteType: CandidateType
        /// As `udp` or `tcp`.
        package var transport: String
        package var sentBitsPerSecond: Double
        package var receivedBitsPerSecond: Double

        package init(
            roundTrip: Duration?, localType: CandidateType, remoteType: CandidateType, transport: String,
            sentBitsPerSecond: Double, receivedBitsPerSecond: Double
        ) {
            self.roundTrip = roundTrip
            self.localType = localType
            self.remoteType = remoteType
            self.transport = transport
            self.sentBitsPerSecond = sentBitsPerSecond
            self.receivedBitsPerSecond = receivedBitsPerSecond
        }
    }

    /// A picture's size and rate.
    package struct Picture: Hashable, Sendable {
        package var width: Int
        package var height: Int
        package var framesPerSecond: Int

        package init(width: Int, height: Int, framesPerSecond: Int) {
            self.width = width
            self.height = height
            self.framesPerSecond = framesPerSecond
        }
    }

    /// How many frames were encoded, and their mean quantizer in the codec's own scale.
    package struct Quantizer: Hashable, Sendable {
        package var frameCount: Int
        package var mean: Int

        package init(frameCount: Int, mean: Int) {
            self.frameCount = frameCount
            self.mean = mean
        }
    }

    /// The VS lines and the AvgQP line.
    package struct VideoSent: Hashable, Sendable {
        package var input: Picture
        package var sent: Picture
        package var encodedBitsPerSecond: Double
        package var targetBitsPerSecond: Double
        package var sentBitsPerSecond: Double
        package var availableBitsPerSecond: Double
        /// For one frame.
        package var encodeTime: Duration
        package var codec: String
        /// Of the frames encoded since the last report; `nil`: none.
        package var quantizer: Quantizer?
        package var packetsLost: Int64

        package init(
            input: Picture, sent: Picture, encodedBitsPerSecond: Double, targetBitsPerSecond: Double,
            sentBitsPerSecond: Double, availableBitsPerSecond: Double, encodeTime: Duration, codec: String,
            quantizer: Quantizer?, packetsLost: Int64
        ) {
            self.input = input
            self.sent = sent
            self.encodedBitsPerSecond = encodedBitsPerSecond
            self.targetBitsPerSecond = targetBitsPerSecond
            self.sentBitsPerSecond = sentBitsPerSecond
            self.availableBitsPerSecond = availableBitsPerSecond
            self.encodeTime = encodeTime
            self.codec = codec
            self.quantizer = quantizer
            self.packetsLost = packetsLost
        }
    }

    /// The VR line.
    package struct VideoReceived: Hashable, Sendable {
        package var received: Picture
        package var decodedFramesPerSecond: Int
        package var outputFramesPerSecond: Int
        package var bitsPerSecond: Double
        package var availableBitsPerSecond: Double
        /// For one frame.
        package var decodeTime: Duration
        package var packetsLost: Int64

        package init(
            received: Picture, decodedFramesPerSecond: Int, outputFramesPerSecond: Int, bitsPerSecond: Double,
            availableBitsPerSecond: Double, decodeTime: Duration, packetsLost: Int64
        ) {
            self.received = received
            self.decodedFramesPerSecond = decodedFramesPerSecond
            self.outputFramesPerSecond = outputFramesPerSecond
            self.bitsPerSecond = bitsPerSecond
            self.availableBitsPerSecond = availableBitsPerSecond
            self.decodeTime = decodeTime
            self.packetsLost = packetsLost
        }
    }

    /// The AS line.
    package struct AudioSent: Hashable, Sendable {
        package var bitsPerSecond: Double
        package var codec: String
        package var packetsLost: Int64

        package init(bitsPerSecond: Double, codec: String, packetsLost: Int64) {
            self.bitsPerSecond = bitsPerSecond
            self.codec = codec
            self.packetsLost = packetsLost
        }
    }

    /// The AR line.
    package struct AudioReceived: Hashable, Sendable {
        package var bitsPerSecond: Double
        package var codec: String
        /// The jitter buffer's current delay.
        package var delay: Duration
        /// The share of the sound that was made up or stretched, 0…1.
        package var expandRate: Double
        package var packetsLost: Int64

        package init(
            bitsPerSecond: Double, codec: String, delay: Duration, expandRate: Double, packetsLost: Int64
        ) {
            self.bitsPerSecond = bitsPerSecond
            self.codec = codec
            self.delay = delay
            self.expandRate = expandRate
            self.packetsLost = packetsLost
        }
    }

    package var connection: Connection?
    package var videoSent: VideoSent?
    package var videoReceived: VideoReceived?
    package var audioSent: AudioSent?
    package var audioReceived: AudioReceived?

    package init() {}
}
