import CV4L2
import Glibc

/// A camera that is plugged in.
package struct Camera: Hashable, Sendable {
    /// What it is opened by; where udev names it, that name stays the same whatever is plugged in beside it.
    package var path: String
    /// What its driver calls it.
    package var name: String

    package init(path: String, name: String) {
        self.path = path
        self.name = name
    }

    /// The cameras that are plugged in, in the order of their names.
    /// - Parameter devices: the directory of the device files.
    package static func all(
        calls: any CameraCalls = SystemCameraCalls(), devices: String = "/dev"
    ) -> [Camera] {
        let stable = "\(devices)/v4l/by-id"
        var nodes: Set<String> = []
        var cameras: [Camera] = []
        let named = names(in: stable).map { "\(stable)/\($0)" }
        let plain = names(in: devices).filter { $0.hasPrefix("video") }.map { "\(devices)/\($0)" }
        for path in named + plain {
            guard let node = realpath(path), nodes.insert(node).inserted,
                let name = captureName(path, calls: calls)
            else { continue }
            cameras.append(Camera(path: path, name: name))
        }
        return cameras
    }

    /// What the camera at `path` can give; throws when it cannot be opened.
    package static func formats(
        of path: String, calls: any CameraCalls = SystemCameraCalls()
    ) throws -> [CameraFormat] {
        let camera = calls.open(path)
        guard camera >= 0 else { throw CameraError.describe(-camera, "open", camera: path) }
        defer { calls.close(camera) }
        return CameraFormatReader(calls: calls, camera: camera).formats
    }

    /// Its driver's name for it, when it is one that gives pictures: the same device may also have files for metadata,
    /// radio or output.
    private static func captureName(_ path: String, calls: any CameraCalls) -> String? {
        let camera = calls.open(path)
        guard camera >= 0 else { return nil }
        defer { calls.close(camera) }
        var capability = v4l2_capability()
        guard calls.control(camera, CV4L2_QUERYCAP, &capability) >= 0 else { return nil }
        let hasOwn = capability.capabilities & UInt32(V4L2_CAP_DEVICE_CAPS) != 0
        let flags = hasOwn ? capability.device_caps : capability.capabilities
        let wanted = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
        guard flags & wanted == wanted else { return nil }
        return withUnsafeBytes(of: capability.card) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func realpath(_ path: String) -> String? {
        guard let resolved = Glibc.realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
