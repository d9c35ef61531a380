import Devices
import Reactor

/// The cameras that are plugged in, and which come and go.
@EngineActor
final class CameraRoster {
    private(set) var cameras: [Camera]
    private let devices: String
    private let calls: any CameraCalls
    private let watch: CameraWatch?
    private var source: DescriptorSource?

    /// - Parameters:
    ///   - devices: the directory of the device files.
    ///   - onChange: called with the cameras that came and those that went.
    init(
        devices: String = "/dev", calls: any CameraCalls = SystemCameraCalls(),
        onChange: @escaping @EngineActor (_ new: [Camera], _ gone: [Camera]) -> Void
    ) {
        self.devices = devices
        self.calls = calls
        cameras = Camera.all(calls: calls, devices: devices)
        watch = CameraWatch(devices: devices)
        guard let watch else { return }
        source = DescriptorSource(watch.descriptor, .readable) { [weak self] _ in
            watch.drain()
            self?.look(onChange)
        }
    }

    private func look(_ onChange: @EngineActor (_ new: [Camera], _ gone: [Camera]) -> Void) {
        let former = cameras
        cameras = Camera.all(calls: calls, devices: devices)
        guard cameras != former else { return }
        onChange(cameras.filter { !former.contains($0) }, former.filter { !cameras.contains($0) })
    }
}
