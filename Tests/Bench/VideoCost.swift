import CVPX
import Codecs
import Foundation
import MediaEngine
import Primitives

/// What our encoder costs beside libvpx alone, on the same pictures with the same settings in the same run.
///
/// `video [frames=N] [runs=N] [width=PIXELS] [height=PIXELS] [bitrate=BPS]`: both encode in turn; the ratio is the
/// median of those of the runs.
struct VideoCost {
    private var options = ["frames": 300, "runs": 5, "width": 640, "height": 360, "bitrate": 700_000]

    init(arguments: [String]) throws {
        for argument in arguments {
            let parts = argument.split(separator: "=").map(String.init)
            guard parts.count == 2, options[parts[0]] != nil, let value = Int(parts[1]), value > 0 else {
                throw BenchError(description: "video: \(argument): no such option; use \(options.keys.sorted())")
            }
            options[parts[0]] = value
        }
    }

    private subscript(name: String) -> Int {
        options[name] ?? 0
    }

    /// Returns what was measured, as JSON.
    func perform() throws -> String {
        let size = VideoSize(width: self["width"], height: self["height"])
        let frames = (0..<self["frames"]).map { Self.picture($0, size: size) }
        var ratios: [Double] = []
        var own: [Double] = []
        var reference: [Double] = []
        for _ in 0..<self["runs"] {
            own.append(try encode(frames, size: size))
            reference.append(try encodeAlone(frames, size: size))
            ratios.append((own.last ?? 0) / max(reference.last ?? 0, 1e-9))
        }
        return """
            {"video":{"size":"\(size.width)x\(size.height)","frames":\(frames.count),\
            "ownMsPerFrame":\(Self.median(own)),"libvpxMsPerFrame":\(Self.median(reference)),\
            "ratio":\(Self.median(ratios)),"target":1.1}}
            """
    }

    /// Milliseconds of processor time a frame, by our encoder.
    private func encode(_ frames: [VideoFrame], size: VideoSize) throws -> Double {
        let settings = VideoEncoderSettings(size: size, frameRate: 30, bitrate: self["bitrate"])
        let encoder = try VPXEncoder(.vp8, settings: settings)
        let begin = Self.processorTime()
        for frame in frames { _ = try encoder.encode(frame, asKeyFrame: false) }
        guard encoder.effort == -6 else {
            throw BenchError(description: "video: the encoder went faster under load; run it on a quieter machine")
        }
        return (Self.processorTime() - begin) / Double(frames.count)
    }

    /// The same by libvpx alone.
    private func encodeAlone(_ frames: [VideoFrame], size: VideoSize) throws -> Double {
        var configuration = vpx_codec_enc_cfg_t()
        vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &configuration, 0)
        configure(&configuration, size)
        var codec = vpx_codec_ctx_t()
        let status = vpx_codec_enc_init_ver(&codec, vpx_codec_vp8_cx(), &configuration, 0, Int32(CVPX_ENCODER_ABI))
        guard status == VPX_CODEC_OK else { throw BenchError(description: "video: libvpx refuses the settings") }
        defer { vpx_codec_destroy(&codec) }
        let intra = Int32(600 * 30 / 20)
        _ = cvpx_set(&codec, Int32(VP8E_SET_CPUUSED.rawValue), -6)
        _ = cvpx_set(&codec, Int32(VP8E_SET_STATIC_THRESHOLD.rawValue), 1)
        _ = cvpx_set(&codec, Int32(VP8E_SET_MAX_INTRA_BITRATE_PCT.rawValue), intra)
        let image = vpx_img_alloc(nil, VPX_IMG_FMT_I420, UInt32(size.width), UInt32(size.height), 1)
        defer { vpx_img_free(image) }
        guard let image, let pixels = image.pointee.img_data else { throw BenchError(description: "video: no memory") }
        let begin = Self.processorTime()
        for (index, frame) in frames.enumerated() {
            frame.bytes.withUnsafeBufferPointer { bytes in
                if let source = bytes.baseAddress { pixels.update(from: source, count: bytes.count) }
            }
            let layer = Int32(index % 2)
            var flags = VP8_EFLAG_NO_REF_GF | VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_GF | VP8_EFLAG_NO_UPD_ARF
            if layer > 0 { flags |= VP8_EFLAG_NO_UPD_LAST | VP8_EFLAG_NO_UPD_ENTROPY }
            if index == 0 { flags = VPX_EFLAG_FORCE_KF }
            _ = cvpx_set(&codec, Int32(VP8E_SET_TEMPORAL_LAYER_ID.rawValue), layer)
            vpx_codec_encode(
                &codec, image, Int64(index) * 3000, 3000, vpx_enc_frame_flags_t(flags), UInt(VPX_DL_REALTIME))
            var iterator: vpx_codec_iter_t?
            while vpx_codec_get_cx_data(&codec, &iterator) != nil {}
        }
        return (Self.processorTime() - begin) / Double(frames.count)
    }

    private func configure(_ configuration: inout vpx_codec_enc_cfg_t, _ size: VideoSize) {
        let kilobits = UInt32(self["bitrate"] / 1000)
        configuration.g_w = UInt32(size.width)
        configuration.g_h = UInt32(size.height)
        configuration.g_timebase = vpx_rational(num: 1, den: 90_000)
        configuration.g_threads = 1
        configuration.g_error_resilient = vpx_codec_er_flags_t(VPX_ERROR_RESILIENT_DEFAULT)
        configuration.g_lag_in_frames = 0
        configuration.kf_mode = VPX_KF_DISABLED
        configuration.rc_end_usage = VPX_CBR
        configuration.rc_dropframe_thresh = 30
        configuration.rc_min_quantizer = 2
        configuration.rc_max_quantizer = 56
        configuration.rc_undershoot_pct = 100
        configuration.rc_overshoot_pct = 15
        configuration.rc_buf_initial_sz = 500
        configuration.rc_buf_optimal_sz = 600
        configuration.rc_buf_sz = 1000
        configuration.rc_target_bitrate = kilobits
        configuration.ts_number_layers = 2
        configuration.ts_rate_decimator.0 = 2
        configuration.ts_rate_decimator.1 = 1
        configuration.ts_periodicity = 2
        configuration.ts_layer_id.1 = 1
        configuration.ts_target_bitrate.0 = kilobits * 6 / 10
        configuration.ts_target_bitrate.1 = kilobits
    }

    /// A texture that moves to the left and down, with edges and grain.
    private static func picture(_ index: Int, size: VideoSize) -> VideoFrame {
        var frame = VideoFrame.black(size, time: .zero + .nanoseconds(Int64(index) * 1_000_000_000 / 30))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (u, v) = (x + index * 3, y + index)
                let wave = 45 * sin(Double(u) / 10) + 40 * cos(Double(v) / 40)
                let edge = (u >> 5 ^ v >> 5) & 3 == 0 ? 25 : 0
                frame.bytes[y * size.width + x] = UInt8(115 + Int(wave) + edge + (u &* 7919 ^ v &* 104_729) & 7)
            }
        }
        return frame
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : (sorted[sorted.count / 2] * 1000).rounded() / 1000
    }
}
