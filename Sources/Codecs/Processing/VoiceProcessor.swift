import CWebRTCAP
package import MediaEngine
import Primitives

/// Echo cancellation, noise suppression and gain control by webrtc-audio-processing.
///
/// Each stage can be switched while it runs; one that stays on keeps what it has learned. With all three off the
/// captured sound is not touched.
package final class VoiceProcessor: AudioProcessor {
    private let processor: OpaquePointer
    private var settings: AudioProcessingSettings
    /// Frames that the library refused; the sound went through untouched.
    package private(set) var refusedFrameCount = 0

    /// - Throws: `CodecError` when the library refuses the format or memory lacks.
    package init(_ settings: AudioProcessingSettings = AudioProcessingSettings()) throws {
        guard let processor = cwebrtcap_create(cwebrtcap_stages(settings)) else {
            throw CodecError(function: "AudioProcessing::Create", reason: "48 kHz mono was refused")
        }
        self.processor = processor
        self.settings = settings
    }

    deinit {
        cwebrtcap_destroy(processor)
    }

    package func analyzePlayback(_ frame: UnsafeBufferPointer<Float>) {
        guard settings.cancelsEcho, frame.count == AudioFormat.frameSampleCount, let samples = frame.baseAddress else {
            return
        }
        count(cwebrtcap_render(processor, samples))
    }

    package func processCapture(_ frame: UnsafeMutableBufferPointer<Float>, delay: Duration) {
        guard settings.usesAny, frame.count == AudioFormat.frameSampleCount, let samples = frame.baseAddress else {
            return
        }
        count(cwebrtcap_capture(processor, samples, Int32(delay.milliseconds.clamped(to: 0...500))))
    }

    package func apply(_ settings: AudioProcessingSettings) {
        guard settings != self.settings else { return }
        self.settings = settings
        count(cwebrtcap_apply(processor, cwebrtcap_stages(settings)))
    }

    private func count(_ status: Int32) {
        if status != 0 { refusedFrameCount &+= 1 }
    }
}

extension AudioProcessingSettings {
    fileprivate var usesAny: Bool {
        cancelsEcho || suppressesNoise || controlsGain
    }
}

extension cwebrtcap_stages {
    fileprivate init(_ settings: AudioProcessingSettings) {
        self.init(
            echo_canceller: settings.cancelsEcho, noise_suppression: settings.suppressesNoise,
            gain_control: settings.controlsGain)
    }
}
