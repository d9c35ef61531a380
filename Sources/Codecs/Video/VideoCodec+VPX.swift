internal import CVPX
internal import MediaEngine

extension VideoCodec {
    var encoderInterface: OpaquePointer? {
        switch self {
        case .vp8: vpx_codec_vp8_cx()
        case .vp9: vpx_codec_vp9_cx()
        }
    }

    var decoderInterface: OpaquePointer? {
        switch self {
        case .vp8: vpx_codec_vp8_dx()
        case .vp9: vpx_codec_vp9_dx()
        }
    }
}

extension CodecError {
    /// What `function` said by `status`, with libvpx's words for it.
    init(_ function: String, _ status: vpx_codec_err_t, _ context: UnsafeMutablePointer<vpx_codec_ctx_t>? = nil) {
        let detail = context.flatMap { vpx_codec_error_detail($0) }.map { ": " + String(cString: $0) } ?? ""
        self.init(function: function, reason: String(cString: vpx_codec_err_to_string(status)) + detail)
    }
}

/// Pictures of this size and less are coded by one thread: two of them wait for each other busily, which costs more than it
/// saves where other threads want the processor too.
let singleThreadArea = 1280 * 720
