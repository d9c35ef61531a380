import CV4L2
import Glibc
import MediaEngine
import Primitives

/// The steps from an open camera to one that streams.
struct CameraSetup {
    /// What camera and driver have agreed to.
    struct Negotiated {
        let format: CameraFormat
        /// Bytes from one row to the next; 0: there is no padding.
        let stride: Int
    }

    private static let bufferCount: UInt32 = 4

    let path: String
    let camera: Int32
    let calls: any CameraCalls

    func negotiate(_ wanted: CaptureFormat) throws -> Negotiated {
        let available = CameraFormatReader(calls: calls, camera: camera).formats
        guard let nearest = CameraFormat.nearest(to: wanted, in: available) else {
            throw UserFacingError(
                "cannot use the camera \(path)", why: "it has none of the formats YUYV, NV12, YU12 and MJPG",
                remedy: "pick another camera")
        }
        var format = v4l2_format()
        format.type = CV4L2_CAPTURE
        format.fmt.pix.width = UInt32(nearest.size.width)
        format.fmt.pix.height = UInt32(nearest.size.height)
        format.fmt.pix.pixelformat = nearest.pixels.fourCC
        format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        try check(calls.control(camera, CV4L2_S_FMT, &format), "VIDIOC_S_FMT")
        guard let pixels = PixelFormat(fourCC: format.fmt.pix.pixelformat) else {
            throw UserFacingError(
                "cannot use the camera \(path)", why: "it does not keep to \(nearest)", remedy: "pick another camera")
        }
        let size = VideoSize(width: Int(format.fmt.pix.width), height: Int(format.fmt.pix.height))
        return Negotiated(
            format: CameraFormat(pixels: pixels, size: size, frameRate: negotiateRate(nearest.frameRate)),
            stride: pixels == .mjpeg ? 0 : Int(format.fmt.pix.bytesperline))
    }

    /// Many drivers have no rate to set; what they give then is what was listed.
    private func negotiateRate(_ rate: Int) -> Int {
        var parameters = v4l2_streamparm()
        parameters.type = CV4L2_CAPTURE
        parameters.parm.capture.timeperframe = v4l2_fract(numerator: 1, denominator: UInt32(max(1, rate)))
        guard calls.control(camera, CV4L2_S_PARM, &parameters) >= 0 else { return rate }
        let given = CameraFormatReader.rate(parameters.parm.capture.timeperframe)
        return given > 0 ? given : rate
    }

    /// Appends the camera's buffers to `buffers`, also those before one that cannot be mapped.
    func mapBuffers(into buffers: inout [UnsafeMutableRawBufferPointer]) throws {
        var request = v4l2_requestbuffers()
        request.count = Self.bufferCount
        request.type = CV4L2_CAPTURE
        request.memory = CV4L2_MEMORY_MMAP
        try check(calls.control(camera, CV4L2_REQBUFS, &request), "VIDIOC_REQBUFS")
        guard (1...32).contains(request.count) else {
            throw CameraError.describe(ENOMEM, "VIDIOC_REQBUFS", camera: path)
        }
        for index in 0..<request.count {
            var buffer = Self.buffer(index)
            try check(calls.control(camera, CV4L2_QUERYBUF, &buffer), "VIDIOC_QUERYBUF")
            let mapped = calls.map(camera, byteCount: Int(buffer.length), offset: Int(buffer.m.offset))
            guard let mapped else { throw CameraError.describe(ENOMEM, "mmap", camera: path) }
            buffers.append(mapped)
        }
    }

    func startStreaming(bufferCount: Int) throws {
        for index in 0..<bufferCount {
            var buffer = Self.buffer(UInt32(index))
            try check(calls.control(camera, CV4L2_QBUF, &buffer), "VIDIOC_QBUF")
        }
        var type = Int32(CV4L2_CAPTURE)
        try check(calls.control(camera, CV4L2_STREAMON, &type), "VIDIOC_STREAMON")
    }

    static func buffer(_ index: UInt32 = 0) -> v4l2_buffer {
        var buffer = v4l2_buffer()
        buffer.index = index
        buffer.type = CV4L2_CAPTURE
        buffer.memory = CV4L2_MEMORY_MMAP
        return buffer
    }

    private func check(_ status: Int32, _ function: String) throws {
        guard status >= 0 else { throw CameraError.describe(-status, function, camera: path) }
    }
}
