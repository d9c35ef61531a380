import CV4L2
import Glibc
import MediaEngine
import Primitives

/// One open camera that gives pictures into memory of its own, from `init` to `close`.
struct CameraStream: ~Copyable {
    /// What a look for a picture brought.
    enum Capture {
        /// `dropped`: how many were lost before it.
        case frame(VideoFrame, dropped: Int)
        /// The picture was there but malformed; it is one of the dropped.
        case damaged(dropped: Int)
        case nothing
        /// The camera has gone, or fails.
        case failed(code: Int32)
    }

    let camera: Int32
    /// What the camera really gives.
    let format: CameraFormat
    private let calls: any CameraCalls
    private let stride: Int
    private let buffers: [UnsafeMutableRawBufferPointer]
    private var lastSequence: UInt32?

    /// Opens the camera at `path` in the format nearest to `wanted`, and begins to stream.
    init(_ path: String, wanted: CaptureFormat, calls: any CameraCalls) throws {
        let camera = calls.open(path)
        guard camera >= 0 else { throw CameraError.describe(-camera, "open", camera: path) }
        let setup = CameraSetup(path: path, camera: camera, calls: calls)
        var buffers: [UnsafeMutableRawBufferPointer] = []
        let negotiated: CameraSetup.Negotiated
        do {
            negotiated = try setup.negotiate(wanted)
            try setup.mapBuffers(into: &buffers)
            try setup.startStreaming(bufferCount: buffers.count)
        } catch {
            for buffer in buffers { calls.unmap(buffer) }
            calls.close(camera)
            throw error
        }
        self.camera = camera
        self.calls = calls
        self.buffers = buffers
        (format, stride) = (negotiated.format, negotiated.stride)
    }

    consuming func close() {
        var type = Int32(CV4L2_CAPTURE)
        _ = calls.control(camera, CV4L2_STREAMOFF, &type)
        for buffer in buffers { calls.unmap(buffer) }
        calls.close(camera)
    }

    /// Takes the next picture, if there is one.
    mutating func next(at now: MonoTime) -> Capture {
        var buffer = CameraSetup.buffer()
        let status = calls.control(camera, CV4L2_DQBUF, &buffer)
        if status == -EAGAIN { return .nothing }
        guard status >= 0 else { return .failed(code: -status) }
        let dropped = gap(to: buffer.sequence)
        let frame = picture(in: buffer, at: now)
        let returned = calls.control(camera, CV4L2_QBUF, &buffer)
        guard returned >= 0 else { return .failed(code: -returned) }
        return frame.map { .frame($0, dropped: dropped) } ?? .damaged(dropped: dropped + 1)
    }

    private func picture(in buffer: v4l2_buffer, at now: MonoTime) -> VideoFrame? {
        let index = Int(buffer.index)
        guard buffers.indices.contains(index), buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) == 0 else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: buffers[index].prefix(Int(buffer.bytesused)))
        return format.pixels.picture(in: bytes, size: format.size, stride: stride, time: Self.time(of: buffer, now))
    }

    /// When the picture was taken, where the driver tells it on our clock.
    private static func time(of buffer: v4l2_buffer, _ now: MonoTime) -> MonoTime {
        guard buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK) == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
        else { return now }
        var buffer = buffer
        let taken = MonoTime(nanoseconds: cv4l2_time(&buffer))
        return (Duration.zero..<Duration.seconds(1)).contains(now - taken) ? taken : now
    }

    /// Pictures that the driver numbered and did not give. A driver that does not count numbers all of them 0.
    private mutating func gap(to sequence: UInt32) -> Int {
        defer { lastSequence = sequence }
        guard let last = lastSequence else { return 0 }
        let step = Int32(bitPattern: sequence &- last)
        return step > 1 && step < 10_000 ? Int(step) - 1 : 0
    }
}
