import Glibc
import Primitives
import Terminal
import TestSupport
import Testing

struct TerminalDeviceTests {
    @Test func keysAreReadRawAndCtrlCIsAByte() throws {
        let terminal = try PseudoTerminal()
        let device = try TerminalDevice(path: terminal.path)
        terminal.type("a\u{3}\r")
        var poller = pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&poller, 1, 5000) == 1)
        #expect(device.read() == [0x61, 0x03, 0x0D])
        #expect(device.read() == [])
        device.restore()
    }

    @Test func theFlagsOfTheShellsDescriptorAreLeftAlone() throws {
        let terminal = try PseudoTerminal()
        let shell = open(terminal.path, O_RDWR | O_NOCTTY)
        defer { close(shell) }
        let device = try TerminalDevice(path: terminal.path)
        #expect(fcntl(shell, F_GETFL) & O_NONBLOCK == 0)
        #expect(fcntl(device.descriptor, F_GETFL) & O_NONBLOCK != 0)
        device.restore()
    }

    @Test func whatIsNoTerminalIsRefused() {
        #expect(throws: UserFacingError.self) {
            let device = try TerminalDevice(path: "/dev/null")
            device.restore()
        }
    }

    @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGILL])
    func aCrashGivesTheTerminalBack(signal: Int32) async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        let path = terminal.path
        await #expect(processExitsWith: .signal(signal)) { [path = path as String, signal = signal as Int32] in
            let device = try TerminalDevice(path: path)
            // A thread of the pool masks SIGABRT; abort() does not care.
            if signal == SIGABRT { abort() }
            raise(signal)
            device.restore()
        }
        #expect(terminal.settings.c_lflag == before.c_lflag && terminal.settings.c_oflag == before.c_oflag)
        terminal.drain()
        #expect(String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}[?1049l"))
    }

    @Test func exitGivesTheTerminalBack() async throws {
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        let path = terminal.path
        await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
            let device = try TerminalDevice(path: path)
            exit(device.descriptor >= 0 ? 3 : 4)
        }
        #expect(terminal.settings.c_lflag == before.c_lflag)
    }
}
