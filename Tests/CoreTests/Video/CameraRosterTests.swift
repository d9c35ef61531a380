import CV4L2
import ControlProtocol
import Devices
import Foundation
import Glibc
import Primitives
import Reactor
import TestSupport
import Testing

@testable import Core

/// Cameras that come and go while the core runs.
@Suite struct CameraRosterTests {
    /// Each device file is a camera, called after it.
    private struct Cameras: CameraCalls {
        func open(_ path: String) -> Int32 {
            let file = Glibc.open(path, O_RDONLY)
            return file >= 0 ? file : -errno
        }

        func close(_ camera: Int32) {
            _ = Glibc.close(camera)
        }

        func control(_ camera: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
            guard request == CV4L2_QUERYCAP else { return -EINVAL }
            var capability = v4l2_capability()
            capability.capabilities = UInt32(V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING)
            withUnsafeMutableBytes(of: &capability.card) { _ = read(camera, $0.baseAddress, 16) }
            argument.storeBytes(of: capability, as: v4l2_capability.self)
            return 0
        }

        func map(_ camera: Int32, byteCount: Int, offset: Int) -> UnsafeMutableRawBufferPointer? { nil }

        func unmap(_ buffer: UnsafeMutableRawBufferPointer) {}
    }

    @EngineActor @Test func plugsAreNoticed() async throws {
        let devices = try TemporaryDirectory()
        try plug("one", devices)
        var changes: [String] = []
        let roster = CameraRoster(devices: devices.path, calls: Cameras()) { new, gone in
            changes += new.map { "+\($0.name)" } + gone.map { "-\($0.name)" }
        }
        #expect(roster.cameras.map(\.name) == ["one"])
        try plug("two", devices)
        #expect(await eventually { changes == ["+two"] })
        unlink("\(devices.path)/videoone")
        #expect(await eventually { changes == ["+two", "-one"] })
        try plug("one", devices)
        #expect(await eventually { changes == ["+two", "-one", "+one"] })
    }

    @Test func theDoctorNamesCamerasAndThoseThatCannotBeOpened() throws {
        let root = try TemporaryDirectory()
        var doctor = Doctor(directories: .current(), environment: [:], root: root.path)
        #expect(doctor.cameras().isFine && doctor.cameras().text.hasPrefix("none is plugged in"))
        mkdir("\(root.path)/dev", 0o700)
        close(open("\(root.path)/dev/video0", O_CREAT | O_WRONLY, 0o600))
        #expect(doctor.cameras().isFine)
        doctor.mayOpen = { _ in false }
        let finding = doctor.cameras()
        #expect(!finding.isFine && finding.text.hasPrefix("this user may not open /dev/video0"))
        #expect(finding.command?.hasPrefix("sudo usermod -aG video ") == true)
    }

    @Test func theDoctorCountsSoundCardsAndSaysWhichGroupOpensThem() throws {
        let root = try TemporaryDirectory()
        var doctor = Doctor(directories: .current(), environment: [:], root: root.path)
        #expect(doctor.soundCards().isFine && doctor.soundCards().text.hasPrefix("none; "))
        mkdir("\(root.path)/dev", 0o700)
        mkdir("\(root.path)/dev/snd", 0o700)
        for name in ["pcmC0D0p", "pcmC0D0c", "pcmC1D3p", "controlC0", "timer"] {
            close(open("\(root.path)/dev/snd/\(name)", O_CREAT | O_WRONLY, 0o600))
        }
        doctor.mayOpen = { _ in true }
        #expect(doctor.soundCards().isFine && doctor.soundCards().text == "2")
        doctor.mayOpen = { !$0.hasSuffix("pcmC1D3p") }
        let finding = doctor.soundCards()
        #expect(!finding.isFine && finding.command?.hasPrefix("sudo usermod -aG audio ") == true)
    }

    /// A device file appears with all that it has.
    private func plug(_ name: String, _ devices: TemporaryDirectory) throws {
        try name.write(toFile: "\(devices.path)/new", atomically: true, encoding: .utf8)
        try #require(rename("\(devices.path)/new", "\(devices.path)/video\(name)") == 0)
    }
}
