import Devices
import Glibc
import MediaEngine
import Primitives
import TestSupport
import Testing

/// Cameras, as scripted ones answer: what they can do, what is chosen, and how they are lost and found.
@Suite struct CameraTests {
    private let sink = CollectingSink()
    private let path = "/dev/v4l/by-id/camera"

    private func format(_ width: Int, _ height: Int, _ rate: Int) -> CaptureFormat {
        CaptureFormat(size: VideoSize(width: width, height: height), frameRate: rate)
    }

    /// Q22.
    @Test func everyFormatIsListed() throws {
        let formats = try Camera.formats(of: path, calls: ScriptedCamera(CameraScripts.webcam))
        #expect(
            formats.map(\.description) == [
                "YUYV 640x480@30", "YUYV 640x480@15", "YUYV 320x240@30", "YUYV 1280x720@10", "MJPG 640x480@30",
                "MJPG 1280x720@30", "MJPG 1280x720@24",
            ])
    }

    @Test func rangesAreListedByTheStandardSizesAndRates() throws {
        let formats = try Camera.formats(of: path, calls: ScriptedCamera(CameraScripts.board))
        let sizes = Set(formats.map(\.size))
        #expect(sizes.contains(VideoSize(width: 640, height: 480)))
        #expect(sizes.contains(VideoSize(width: 720, height: 576)))
        #expect(!sizes.contains(VideoSize(width: 320, height: 180)))
        let rates = formats.filter { $0.size == VideoSize(width: 640, height: 480) }.map(\.frameRate)
        #expect(rates == [5, 10, 15, 20, 24, 25, 30, 60])
    }

    @Test(arguments: [
        (640, 480, 30, "YUYV 640x480@30"),
        (640, 480, 15, "YUYV 640x480@15"),
        (1280, 720, 30, "MJPG 1280x720@30"),
        (1280, 720, 10, "YUYV 1280x720@10"),
        (950, 540, 30, "MJPG 1280x720@30"),
        (1920, 1080, 30, "MJPG 1280x720@30"),
        (160, 120, 30, "YUYV 320x240@30"),
    ])
    func theNearestFormatIsChosen(width: Int, height: Int, rate: Int, expected: String) throws {
        let formats = try Camera.formats(of: path, calls: ScriptedCamera(CameraScripts.webcam))
        let nearest = CameraFormat.nearest(to: format(width, height, rate), in: formats)
        #expect(nearest?.description == expected)
    }

    @Test func picturesComeAsTheyWereTaken() throws {
        let camera = ScriptedCamera(CameraScripts.webcam)
        let source = CameraSource(path: path, calls: camera)
        defer { source.stop() }
        let given = try source.start(sink, wanted: .standard)
        #expect(given == .standard)
        camera.give([UInt8](repeating: 77, count: 640 * 480 * 2), sequence: 0)
        #expect(sink.wait { $0.frames.count == 1 })
        let frame = sink.all.frames[0]
        #expect(frame.size == CaptureFormat.standard.size)
        #expect(frame.bytes.allSatisfy { $0 == 77 })
    }

    /// Q24: what is given may differ from what was asked, and is told.
    @Test func whatTheDriverMakesOfItIsGiven() throws {
        let camera = ScriptedCamera(CameraScripts.board)
        let source = CameraSource(path: path, calls: camera)
        defer { source.stop() }
        let given = try source.start(sink, wanted: .standard)
        #expect(given == format(320, 240, 25))
        var padded = [UInt8](repeating: 0, count: 352 * 360)
        for row in 0..<240 { for column in 0..<320 { padded[row * 352 + column] = 99 } }
        camera.give(padded, sequence: 0)
        #expect(sink.wait { $0.frames.count == 1 })
        #expect(sink.all.frames[0].bytes.prefix(320 * 240).allSatisfy { $0 == 99 })
    }

    /// Q59.
    @Test func gapsInTheNumbersAreCountedAsDropped() throws {
        let camera = ScriptedCamera(CameraScripts.webcam)
        let source = CameraSource(path: path, calls: camera)
        defer { source.stop() }
        _ = try source.start(sink, wanted: .standard)
        let picture = [UInt8](repeating: 1, count: 640 * 480 * 2)
        camera.give(picture, sequence: UInt32.max - 1)
        camera.give(picture, sequence: UInt32.max)
        camera.give(picture, sequence: 3)
        camera.give([1, 2, 3], sequence: 4)
        camera.give(picture, sequence: 5, isDamaged: true)
        camera.give(picture, sequence: 6)
        #expect(sink.wait { $0.frames.count == 4 })
        #expect(source.droppedCount == 5)
        #expect(camera.freeCount == 4)
    }

    @Test func anUnpluggedCameraIsFoundAgain() throws {
        let camera = ScriptedCamera(CameraScripts.webcam)
        let source = CameraSource(path: path, calls: camera, retryInterval: .milliseconds(5))
        _ = try source.start(sink, wanted: .standard)
        let picture = [UInt8](repeating: 1, count: 640 * 480 * 2)
        camera.give(picture, sequence: 0)
        #expect(sink.wait { $0.frames.count == 1 })
        camera.unplug()
        #expect(sink.wait { $0.interruptions.count == 1 })
        #expect(
            sink.all.interruptions == [
                "cannot use the camera \(path): it is not there; plug it in; it is waited for"
            ])
        camera.plugIn()
        camera.give(picture, sequence: 0)
        #expect(sink.wait { $0.frames.count == 2 })
        source.stop()
        #expect(camera.openCount == 2)
        #expect(!camera.isOpen && camera.mappedCount == 0)
        #expect(sink.all.ends.isEmpty)
    }

    @Test(arguments: [
        (EBUSY, "another program uses it; close that program, or pick another camera"),
        (EACCES, "this user may not open it; add the user to the group video and log in again"),
        (ENOENT, "it is not there; plug it in"),
    ])
    func refusalsAreSaidInWords(code: Int32, expected: String) {
        let camera = ScriptedCamera(CameraScripts.webcam)
        camera.refuse(code)
        let source = CameraSource(path: path, calls: camera)
        #expect(refusal(of: source) == "cannot use the camera \(path): \(expected)")
    }

    @Test(arguments: ["REQBUFS = ! 16", "STREAMON = ! 16", "STREAMON = ! 28", "S_FMT YUYV 640x480 = ! 16"])
    func aCameraThatFailsHalfWayIsReleased(line: String) {
        let camera = ScriptedCamera(CameraScripts.webcam + "\n" + line)
        #expect(refusal(of: CameraSource(path: path, calls: camera)) != nil)
        #expect(!camera.isOpen && camera.mappedCount == 0)
    }

    @Test func aCameraWithoutReadableFormatsSaysSo() {
        let reason = refusal(of: CameraSource(path: path, calls: ScriptedCamera(CameraScripts.bayer)))
        #expect(reason?.contains("none of the formats YUYV, NV12, YU12 and MJPG") == true)
    }

    /// Q18: cameras by their stable names, each once, and no files of other kinds.
    @Test func camerasAreListedByStableNames() throws {
        let devices = try TemporaryDirectory()
        try makeDevices(devices.path, ["video0", "video1"])
        let found = Camera.all(calls: ScriptedCamera(CameraScripts.webcam), devices: devices.path)
        #expect(
            found == [
                Camera(path: "\(devices.path)/v4l/by-id/usb-cam-index0", name: "HD Pro Webcam"),
                Camera(path: "\(devices.path)/video1", name: "HD Pro Webcam"),
            ])
        #expect(Camera.all(calls: ScriptedCamera(CameraScripts.metadata), devices: devices.path).isEmpty)
        #expect(Camera.all(devices: devices.path).isEmpty)
    }

    @Test func plugsAreWatched() throws {
        let devices = try TemporaryDirectory()
        let watch = try #require(CameraWatch(devices: devices.path))
        #expect(!isReadable(watch.descriptor))
        try makeDevices(devices.path, ["video0"])
        #expect(isReadable(watch.descriptor))
        watch.drain()
        #expect(!isReadable(watch.descriptor))
        unlink("\(devices.path)/v4l/by-id/usb-cam-index0")
        #expect(isReadable(watch.descriptor))
    }

    private func refusal(of source: CameraSource) -> String? {
        do {
            _ = try source.start(sink, wanted: .standard)
            source.stop()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func makeDevices(_ directory: String, _ names: [String]) throws {
        for name in names { close(open("\(directory)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
        mkdir("\(directory)/v4l", 0o700)
        mkdir("\(directory)/v4l/by-id", 0o700)
        symlink("../../video0", "\(directory)/v4l/by-id/usb-cam-index0")
    }

    private func isReadable(_ descriptor: Int32) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, 0) == 1
    }
}
