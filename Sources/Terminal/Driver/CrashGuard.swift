import Glibc

/// Gives the terminal back when the program dies: on SIGILL, SIGSEGV, SIGBUS, SIGFPE and SIGABRT a fixed string is
/// written and the settings are restored, then the signal takes its course; `exit` does the same.
package enum CrashGuard {
    /// Leaves bracketed paste, focus events, mouse reports, the reports of keys let go, the alternate screen and every attribute, and shows the cursor: harmless
    /// where not understood.
    package static let farewell = Array(
        "\u{1B}[?2004l\u{1B}[?1004l\u{1B}[?1000l\u{1B}[?1006l\u{1B}[<u\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l\r\n".utf8)

    private static let signals = [SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]

    /// Remembers what to restore and installs the handlers. Without a farewell only the settings are restored.
    static func arm(descriptor: Int32, settings: termios, saysFarewell: Bool = true) {
        let state = crashState
        state.pointee.saysFarewell = saysFarewell
        state.pointee.settings = settings
        state.pointee.descriptor = descriptor
        guard !state.pointee.isInstalled else { return }
        state.pointee.isInstalled = true
        installAlternateStack()
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = restoreAndDie
            action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_NODEFER
            sigaction(number, &action, nil)
        }
        atexit(restoreAtExit)
    }

    /// Forgets the terminal: it has been given back in order.
    static func disarm() {
        crashState.pointee.descriptor = -1
    }

    /// A stack of its own lets the handler run after a stack overflow.
    private static func installAlternateStack() {
        let size = 65536
        var stack = stack_t(ss_sp: malloc(size), ss_flags: 0, ss_size: size)
        sigaltstack(&stack, nil)
    }
}

/// What the handler needs, in memory that it can touch without allocating.
private struct CrashState {
    var descriptor: Int32 = -1
    var settings = termios()
    var farewell: UnsafeMutableBufferPointer<UInt8>
    var saysFarewell = true
    var isInstalled = false
}

// unchecked: written by the console's thread before the handlers are installed, and its descriptor after; read by them.
private nonisolated(unsafe) let crashState: UnsafeMutablePointer<CrashState> = {
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: CrashGuard.farewell.count)
    _ = text.initialize(from: CrashGuard.farewell)
    let state = UnsafeMutablePointer<CrashState>.allocate(capacity: 1)
    state.initialize(to: CrashState(farewell: text))
    return state
}()

private func restoreTerminal() {
    let descriptor = crashState.pointee.descriptor
    guard descriptor >= 0 else { return }
    crashState.pointee.descriptor = -1
    if crashState.pointee.saysFarewell {
        write(descriptor, crashState.pointee.farewell.baseAddress, crashState.pointee.farewell.count)
    }
    tcsetattr(descriptor, TCSANOW, &crashState.pointee.settings)
}

private func restoreAndDie(_ number: Int32) {
    restoreTerminal()
    // The handler was reset as it was entered: this time the signal kills.
    raise(number)
}

private func restoreAtExit() {
    restoreTerminal()
}
