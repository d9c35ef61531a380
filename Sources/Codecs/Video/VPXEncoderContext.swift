import CVPX
import Glibc
import MediaEngine
import Primitives

/// An encoder of libvpx for one size; another size needs another one.
struct VPXEncoderContext: ~Copyable {
    /// What libvpx gave for one picture.
    struct Output {
        var bytes: [UInt8]
        var isKeyFrame: Bool
    }

    private static let ticksPerSecond: Int32 = 90_000

    private let codec: VideoCodec
    private let context: UnsafeMutablePointer<vpx_codec_ctx_t>
    private var configuration: vpx_codec_enc_cfg_t
    private var time: Int64 = 0

    /// - Throws: `CodecError` when libvpx refuses the settings, or memory lacks.
    init(_ codec: VideoCodec, _ settings: VideoEncoderSettings, speed: Int) throws {
        var configuration = try Self.configuration(codec, settings)
        let memory = UnsafeMutablePointer<vpx_codec_ctx_t>.allocate(capacity: 1)
        memory.initialize(to: vpx_codec_ctx_t())
        let status = vpx_codec_enc_init_ver(
            memory, codec.encoderInterface, &configuration, 0, Int32(CVPX_ENCODER_ABI))
        guard status == VPX_CODEC_OK else {
            memory.deallocate()
            throw CodecError("vpx_codec_enc_init", status)
        }
        self.codec = codec
        self.configuration = configuration
        context = memory
        setSpeed(speed)
        setUp(settings)
    }

    deinit {
        vpx_codec_destroy(context)
        context.deallocate()
    }

    func setSpeed(_ speed: Int) {
        set(VP8E_SET_CPUUSED, speed)
    }

    /// Applies another bitrate, frame rate or content.
    mutating func apply(_ settings: VideoEncoderSettings) throws {
        Self.fill(&configuration, settings)
        let status = vpx_codec_enc_config_set(context, &configuration)
        guard status == VPX_CODEC_OK else { throw CodecError("vpx_codec_enc_config_set", status, context) }
        setUp(settings)
    }

    /// Encodes a picture that is shown for `duration`. `nil`: dropped to keep to the rate.
    ///
    /// The base layer depends on itself alone; the frames of the layer above depend on the base layer's last one, and
    /// nothing depends on them.
    mutating func encode(_ frame: VideoFrame, layer: Int, isKeyFrame: Bool, duration: Duration) throws -> Output? {
        var flags = VP8_EFLAG_NO_REF_GF | VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_GF | VP8_EFLAG_NO_UPD_ARF
        if layer > 0 { flags |= VP8_EFLAG_NO_UPD_LAST | VP8_EFLAG_NO_UPD_ENTROPY }
        if isKeyFrame { flags = VPX_EFLAG_FORCE_KF }
        switch codec {
        case .vp8: set(VP8E_SET_TEMPORAL_LAYER_ID, layer)
        case .vp9: _ = cvpx_set_layer(context, Int32(layer))
        }
        let ticks = max(1, Int64((duration.seconds * Double(Self.ticksPerSecond)).rounded()))
        let status = withImage(of: frame) { image in
            vpx_codec_encode(context, image, time, UInt(ticks), vpx_enc_frame_flags_t(flags), UInt(VPX_DL_REALTIME))
        }
        guard status == VPX_CODEC_OK else { throw CodecError("vpx_codec_encode", status, context) }
        time += ticks
        return output()
    }

    /// The quantiser of the last frame, in the codec's own scale.
    var quantizer: Int {
        var value: Int32 = 0
        _ = cvpx_get(context, Int32(VP8E_GET_LAST_QUANTIZER.rawValue), &value)
        return Int(value)
    }

    private func output() -> Output? {
        var iterator: vpx_codec_iter_t?
        var output: Output?
        while let packet = vpx_codec_get_cx_data(context, &iterator) {
            guard packet.pointee.kind == VPX_CODEC_CX_FRAME_PKT, packet.pointee.data.frame.sz > 0 else { continue }
            let frame = packet.pointee.data.frame
            let bytes = UnsafeRawBufferPointer(start: frame.buf, count: frame.sz)
            if output == nil {
                output = Output(bytes: [UInt8](bytes), isKeyFrame: frame.flags & UInt32(VPX_FRAME_IS_KEY) != 0)
            } else {
                output?.bytes += bytes
            }
        }
        return output
    }

    /// Lends the picture to libvpx, where it lies.
    private func withImage<Result>(of frame: VideoFrame, _ body: (UnsafePointer<vpx_image_t>) -> Result) -> Result {
        frame.bytes.withUnsafeBufferPointer { bytes in
            let start = UnsafeMutablePointer(mutating: bytes.baseAddress)
            var image = vpx_image_t()
            vpx_img_wrap(&image, VPX_IMG_FMT_I420, UInt32(frame.size.width), UInt32(frame.size.height), 1, start)
            let planes = VideoFrame.planes(of: frame.size)
            image.planes.0 = start
            image.planes.1 = start?.advanced(by: planes.u.lowerBound)
            image.planes.2 = start?.advanced(by: planes.v.lowerBound)
            let chroma = Int32(frame.size.chroma.width)
            image.stride = (Int32(frame.size.width), chroma, chroma, 0)
            return body(&image)
        }
    }

    private func setUp(_ settings: VideoEncoderSettings) {
        let isText = settings.content == .text
        set(VP8E_SET_STATIC_THRESHOLD, isText ? 100 : 1)
        // A key frame may take as much as half of the best buffer level.
        let intra = Int(configuration.rc_buf_optimal_sz) * settings.frameRate / 20
        set(VP8E_SET_MAX_INTRA_BITRATE_PCT, max(300, intra))
        switch codec {
        case .vp8:
            set(VP8E_SET_SCREEN_CONTENT_MODE, isText ? 2 : 0)
            set(VP8E_SET_TOKEN_PARTITIONS, 0)
            set(VP8E_SET_NOISE_SENSITIVITY, 0)
        case .vp9:
            set(VP9E_SET_SVC, 1)
            withUnsafePointer(to: configuration) { _ = cvpx_set_layers(context, $0) }
            set(VP9E_SET_AQ_MODE, 3)
            set(VP9E_SET_TUNE_CONTENT, isText ? Int(VP9E_CONTENT_SCREEN.rawValue) : Int(VP9E_CONTENT_DEFAULT.rawValue))
        }
    }

    /// Only a value out of range is refused, and every value here is in its range.
    private func set(_ request: vp8e_enc_control_id, _ value: Int) {
        _ = cvpx_set(context, Int32(request.rawValue), Int32(value))
    }
}

extension VPXEncoderContext {
    private static func configuration(
        _ codec: VideoCodec, _ settings: VideoEncoderSettings
    ) throws -> vpx_codec_enc_cfg_t {
        var configuration = vpx_codec_enc_cfg_t()
        let status = vpx_codec_enc_config_default(codec.encoderInterface, &configuration, 0)
        guard status == VPX_CODEC_OK else { throw CodecError("vpx_codec_enc_config_default", status) }
        configuration.g_w = UInt32(settings.size.width)
        configuration.g_h = UInt32(settings.size.height)
        configuration.g_timebase = vpx_rational(num: 1, den: ticksPerSecond)
        configuration.g_threads = settings.size.area <= singleThreadArea ? 1 : 2
        configuration.g_error_resilient = vpx_codec_er_flags_t(VPX_ERROR_RESILIENT_DEFAULT)
        configuration.g_lag_in_frames = 0
        configuration.g_pass = VPX_RC_ONE_PASS
        configuration.kf_mode = VPX_KF_DISABLED
        configuration.rc_end_usage = VPX_CBR
        configuration.rc_resize_allowed = 0
        configuration.rc_max_quantizer = 56
        configuration.rc_undershoot_pct = 100
        configuration.rc_overshoot_pct = 15
        configuration.rc_buf_initial_sz = 500
        configuration.rc_buf_optimal_sz = 600
        configuration.rc_buf_sz = 1000
        configuration.ss_number_layers = 1
        configuration.ts_number_layers = 2
        configuration.ts_rate_decimator.0 = 2
        configuration.ts_rate_decimator.1 = 1
        configuration.ts_periodicity = 2
        configuration.ts_layer_id.0 = 0
        configuration.ts_layer_id.1 = 1
        if codec == .vp9 { configuration.temporal_layering_mode = Int32(VP9E_TEMPORAL_LAYERING_MODE_BYPASS.rawValue) }
        fill(&configuration, settings)
        return configuration
    }

    private static func fill(_ configuration: inout vpx_codec_enc_cfg_t, _ settings: VideoEncoderSettings) {
        let kilobits = UInt32(settings.bitrate / 1000)
        let base = UInt32(Double(kilobits) * VideoEncoderSettings.baseShare)
        // Nothing may follow what a screen shows last, which is therefore never left out.
        configuration.rc_dropframe_thresh = settings.content == .text ? 0 : 30
        configuration.rc_min_quantizer = settings.content == .text ? 12 : 2
        configuration.rc_target_bitrate = kilobits
        configuration.ss_target_bitrate.0 = kilobits
        // Each layer's rate holds those of the layers below.
        configuration.ts_target_bitrate.0 = base
        configuration.ts_target_bitrate.1 = kilobits
        configuration.layer_target_bitrate.0 = base
        configuration.layer_target_bitrate.1 = kilobits
    }
}
