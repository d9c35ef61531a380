import Glibc
import Primitives

/// A listening Unix stream socket that only its user can reach (mode 0600).
///
/// `close()` or the last reference removes the socket file, unless somebody has put another in its place.
@EngineActor
package final class UnixListener {
    package nonisolated let path: String
    private let descriptor: Int32
    private let file: FileIdentity?
    private var source: DescriptorSource?
    private var pause: EngineTimer?
    private let onConnection: @EngineActor (UnixConnection) -> Void

    /// Binds and listens at `path`; whatever socket file was there is removed first, so the caller holds the lock that
    /// says it may. `onConnection` gets each connection before it has read anything; whoever keeps it calls `start()`.
    package init(
        path: String, onConnection: @escaping @EngineActor (UnixConnection) -> Void
    ) throws(SocketError) {
        let address = try UnixAddress(path: path)
        let descriptor = try address.makeSocket()
        do {
            try Self.bind(descriptor, to: address)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
        self.onConnection = onConnection
        file = FileIdentity(path: path)
        source = DescriptorSource(descriptor, .readable) { [weak self] _ in self?.accept() }
        pause = EngineTimer { [weak self] in self?.source?.watch(.readable) }
    }

    /// Whether the socket file that consoles look for is still this listener's. When it is not (a cleaner removed it,
    /// the directory is gone), make the directory and a new listener.
    package var isReachable: Bool {
        file != nil && FileIdentity(path: path) == file
    }

    /// Stops listening and removes the socket file. Connections live on.
    package func close() {
        guard source != nil else { return }
        source = nil
        pause = nil
        if isReachable { unlink(path) }
        Glibc.close(descriptor)
    }

    isolated deinit {
        close()
    }

    private static func bind(_ descriptor: Int32, to address: UnixAddress) throws(SocketError) {
        unlink(address.path)
        // The mode comes from the umask: a chmod afterwards would leave a moment in which others can connect.
        let previous = umask(0o177)
        let result = address.withPointer { Glibc.bind(descriptor, $0, $1) }
        let failure = SocketError.last("bind", address.path)
        umask(previous)
        guard result == 0 else { throw failure }
        guard listen(descriptor, 64) == 0 else { throw .last("listen", address.path) }
    }

    private func accept() {
        for _ in 0..<16 {
            let peer = Glibc.accept(descriptor, nil, nil)
            guard peer >= 0 else { return acceptFailed(errno) }
            _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
            _ = fcntl(peer, F_SETFL, O_NONBLOCK)
            onConnection(UnixConnection(descriptor: peer))
        }
    }

    private func acceptFailed(_ code: Int32) {
        guard code != EAGAIN, code != EINTR, code != ECONNABORTED else { return }
        Log.warning("socket", "\(path): accept: \(String(cString: strerror(code))); trying again in 0.1 s")
        // No descriptor is left: the socket stays readable, and watching it would spin.
        source?.watch([])
        pause?.arm(after: .milliseconds(100))
    }
}

/// Which file a path names.
private struct FileIdentity: Equatable {
    private let device: dev_t
    private let inode: ino_t

    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = status.st_dev
        inode = status.st_ino
    }
}
