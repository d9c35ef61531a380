import Primitives

/// Gathers captured frames into those of one encoder, if it has any, and encodes them.
///
/// Owned by the audio thread, which also frees it.
final class PacketAssembler {
    /// Why nothing was sent of late.
    private enum Gap {
        case none
        /// The encoder had nothing to say: the next packet with a voice is marked.
        case silence
        /// Nothing was let through: the next packet is marked, whatever is in it.
        case closed
    }

    private var encoder: EncoderBox?
    private let samples: UnsafeMutableBufferPointer<Float>
    private let payload: UnsafeMutableRawBufferPointer
    private var count = 0
    private var energy: Float = 0
    private var hasVoice = false
    private var mayPause = true
    private var gap = Gap.closed
    private var header: SentAudio

    init(number: Int32) {
        header = SentAudio(
            encoder: number, timestamp: 0, sampleCount: 0, marker: false, level: .silence, hasVoice: false,
            captureTime: .zero)
        samples = .allocate(capacity: AudioFormat.maximumPacketSampleCount)
        samples.initialize(repeating: 0)
        payload = .allocate(byteCount: AudioFormat.maximumPayloadByteCount, alignment: 16)
        payload.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        samples.deallocate()
        payload.deallocate()
    }

    var hasEncoder: Bool {
        encoder != nil
    }

    /// Installs an encoder or removes it. Returns the one before.
    func replaceEncoder(_ new: EncoderBox?) -> EncoderBox? {
        close()
        defer { encoder = new }
        return encoder
    }

    func apply(_ settings: AudioEncoderSettings) {
        encoder?.encoder.apply(settings)
    }

    /// Drops what has been gathered: nothing of it is sent.
    func close() {
        count = 0
        gap = .closed
    }

    /// Takes a frame, which need not be sent where it `mayPause`. When the encoder's frame is full, its packet goes to
    /// `send`.
    func append(
        _ frame: UnsafeBufferPointer<Float>, hasVoice: Bool, mayPause: Bool, timestamp: UInt32, captureTime: MonoTime,
        send: (SentAudio, UnsafeRawBufferPointer) -> Void
    ) {
        guard let encoder = encoder?.encoder else { return }
        guard count + frame.count <= samples.count else { return close() }
        if count == 0 { begin(timestamp: timestamp, captureTime: captureTime) }
        for index in frame.indices { samples[count + index] = frame[index] }
        count += frame.count
        energy += AudioLevel.energy(of: frame)
        self.hasVoice = self.hasVoice || hasVoice
        self.mayPause = self.mayPause && mayPause
        if count >= encoder.frameSampleCount { encode(with: encoder, send: send) }
    }

    private func begin(timestamp: UInt32, captureTime: MonoTime) {
        header.timestamp = timestamp
        header.captureTime = captureTime
        energy = 0
        hasVoice = false
        mayPause = true
    }

    private func encode(with encoder: any AudioEncoder, send: (SentAudio, UnsafeRawBufferPointer) -> Void) {
        let whole = UnsafeBufferPointer(rebasing: samples[..<min(encoder.frameSampleCount, count)])
        let byteCount = encoder.encode(whole, mayPause: mayPause, into: payload)
        header.sampleCount = Int32(whole.count)
        header.level = AudioLevel(energy: energy, sampleCount: count)
        header.hasVoice = hasVoice
        count = 0
        guard byteCount > 0, byteCount <= payload.count else {
            if gap == .none { gap = .silence }
            return
        }
        header.marker = gap == .closed || gap == .silence && hasVoice
        if header.marker { gap = .none }
        send(header, UnsafeRawBufferPointer(rebasing: payload[..<byteCount]))
    }
}
