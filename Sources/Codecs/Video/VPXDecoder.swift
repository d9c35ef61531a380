import CVPX
import Glibc
package import MediaEngine
import Primitives

/// libvpx's VP8 or VP9 decoder, one instance for each stream that is received.
package final class VPXDecoder: VideoDecoder {
    /// Larger pictures are refused before memory is taken for them.
    package static let maximumArea = 4096 * 2304

    private let codec: VideoCodec
    private let context: UnsafeMutablePointer<vpx_codec_ctx_t>

    /// - Throws: `CodecError` when memory lacks.
    package init(_ codec: VideoCodec) throws {
        self.codec = codec
        context = .allocate(capacity: 1)
        context.initialize(to: vpx_codec_ctx_t())
        var configuration = vpx_codec_dec_cfg_t(threads: 1, w: 0, h: 0)
        let status = vpx_codec_dec_init_ver(
            context, codec.decoderInterface, &configuration, 0, Int32(CVPX_DECODER_ABI))
        guard status == VPX_CODEC_OK else {
            context.deallocate()
            throw CodecError("vpx_codec_dec_init", status)
        }
        if codec == .vp9 { vpx_codec_set_frame_buffer_functions(context, takeFrameBuffer, returnFrameBuffer, nil) }
    }

    deinit {
        vpx_codec_destroy(context)
        context.deallocate()
    }

    package func decode(_ payload: UnsafeRawBufferPointer) throws -> DecodedPicture? {
        // libvpx takes an empty frame for a lost one, and shows the last picture again.
        guard let bytes = payload.baseAddress?.assumingMemoryBound(to: UInt8.self), !payload.isEmpty else {
            throw CodecError(function: "vpx_codec_decode", reason: "an empty frame")
        }
        try checkSize(bytes, payload.count)
        let status = vpx_codec_decode(context, bytes, UInt32(payload.count), nil, 0)
        guard status == VPX_CODEC_OK else { throw CodecError("vpx_codec_decode", status, context) }
        var iterator: vpx_codec_iter_t?
        var shown: UnsafeMutablePointer<vpx_image_t>?
        while let image = vpx_codec_get_frame(context, &iterator) { shown = image }
        return try shown.map(picture)
    }

    private func checkSize(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws {
        var info = vpx_codec_stream_info_t()
        info.sz = UInt32(MemoryLayout<vpx_codec_stream_info_t>.size)
        let status = vpx_codec_peek_stream_info(codec.decoderInterface, bytes, UInt32(count), &info)
        guard status == VPX_CODEC_OK, Int(info.w) * Int(info.h) > Self.maximumArea else { return }
        throw CodecError(
            function: "VPXDecoder", reason: "a picture of \(info.w)×\(info.h); 4096×2304 are the most")
    }

    private func picture(_ image: UnsafeMutablePointer<vpx_image_t>) throws -> DecodedPicture {
        let image = image.pointee
        guard image.fmt == VPX_IMG_FMT_I420 else {
            throw CodecError(function: "vpx_codec_get_frame", reason: "pixels other than 4:2:0 of 8 bits")
        }
        let size = VideoSize(width: Int(image.d_w), height: Int(image.d_h))
        let planes = [
            (image.planes.0, image.stride.0, size), (image.planes.1, image.stride.1, size.chroma),
            (image.planes.2, image.stride.2, size.chroma),
        ]
        let bytes = [UInt8](unsafeUninitializedCapacity: VideoFrame.byteCount(of: size)) { buffer, count in
            for (plane, stride, size) in planes {
                for row in 0..<size.height {
                    guard let source = plane?.advanced(by: row * Int(stride)) else { continue }
                    buffer.baseAddress?.advanced(by: count).update(from: source, count: size.width)
                    count += size.width
                }
            }
        }
        return DecodedPicture(size: size, bytes: bytes, qp: quantizer)
    }

    private var quantizer: Int? {
        var value: Int32 = 0
        return cvpx_get(context, Int32(VPXD_GET_LAST_QUANTIZER.rawValue), &value) == VPX_CODEC_OK ? Int(value) : nil
    }
}

/// Memory for one decoded picture of VP9, whose size may change in any frame; refuses what is larger than allowed.
private func takeFrameBuffer(
    _: UnsafeMutableRawPointer?, _ size: Int, _ buffer: UnsafeMutablePointer<vpx_codec_frame_buffer_t>?
) -> Int32 {
    // A picture with its borders of 160 pixels, and its chroma.
    guard let buffer, size <= (4096 + 320) * (2304 + 320) * 3 / 2 + 4096, let memory = calloc(1, size) else {
        return -1
    }
    buffer.pointee.data = memory.assumingMemoryBound(to: UInt8.self)
    buffer.pointee.size = size
    buffer.pointee.priv = memory
    return 0
}

private func returnFrameBuffer(
    _: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<vpx_codec_frame_buffer_t>?
) -> Int32 {
    free(buffer?.pointee.priv)
    buffer?.pointee.priv = nil
    buffer?.pointee.data = nil
    return 0
}
