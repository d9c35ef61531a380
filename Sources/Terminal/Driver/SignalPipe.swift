import Glibc
package import Primitives
import Synchronization

/// Signals as bytes in a pipe, so that a poll loop sees them between other things.
package struct SignalPipe: ~Copyable {
    /// Readable when a signal has come.
    package let descriptor: Int32
    private let writer: Int32
    private let signals: [Int32]

    /// Catches `signals` until the pipe goes. One pipe at a time.
    package init(_ signals: [Int32]) throws(UserFacingError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw UserFacingError("cannot make a pipe", why: String(cString: strerror(errno)))
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        descriptor = ends[0]
        writer = ends[1]
        self.signals = signals
        signalWriter.store(writer, ordering: .sequentiallyConsistent)
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = noteSignal
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
        unmask()
    }

    deinit {
        for number in signals { signal(number, SIG_DFL) }
        signalWriter.store(-1, ordering: .sequentiallyConsistent)
        close(descriptor)
        close(writer)
    }

    /// Whoever started us may have left them masked.
    private func unmask() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// The signals that came since, in order.
    package func take() -> [Int32] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? buffer[..<count].map(Int32.init) : []
    }
}

private let signalWriter = Atomic<Int32>(-1)

private func noteSignal(_ number: Int32) {
    let code = errno
    var byte = UInt8(truncatingIfNeeded: number)
    write(signalWriter.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = code
}
