import CLinux
import Glibc
import Primitives

/// One connected Unix stream socket that carries lines both ways.
///
/// It never blocks: reading yields to others after some time, and writing queues up to a bound, beyond which `send`
/// refuses and the caller decides.
@EngineActor
package final class UnixConnection {
    /// Why a connection ended.
    package enum CloseReason: Hashable, Sendable {
        /// The peer closed it.
        case endOfStream
        /// A line was longer than the limit.
        case lineTooLong
        /// A system call failed with this `errno`.
        case failed(Int32)
    }

    /// Bytes that may wait to be written.
    package var writeLimit = 4 << 20
    /// Sent, with a line feed, as the last words to a peer whose line is too long; empty: nothing is.
    package var overlongAnswer: ArraySlice<UInt8> = []
    /// Called with each line, its line feed removed.
    package var onLine: (@EngineActor ([UInt8]) -> Void)?
    /// Called once when the connection ends by itself, not after `close()`.
    package var onClose: (@EngineActor (CloseReason) -> Void)?
    /// Called when the last waiting byte has been written.
    package var onDrained: (@EngineActor () -> Void)?
    /// uid of the peer, `nil` when the kernel does not say.
    package let peerUID: UInt32?
    /// pid of the peer, `nil` when the kernel does not say.
    package let peerPID: Int32?

    /// How long one connection may work off lines before others get their turn.
    private static let turn = Duration.milliseconds(1)
    /// How long a peer may take to read the last words and close.
    private static let farewellTime = Duration.seconds(2)

    private var descriptor: Int32
    private var source: DescriptorSource?
    private var input: LineBuffer
    private var output: [UInt8] = []
    private var written = 0
    /// Descriptors that go with the byte of `output` at this place.
    private var attachments: [(place: Int, descriptors: [Int32])] = []
    private var isPaused = false
    /// Runs, and keeps the connection alive, from the last words until the peer has closed.
    private var farewell: EngineTimer?

    /// Takes ownership of `descriptor`, a connected stream socket that does not block. Lines longer than `lineLimit`
    /// bytes end the connection.
    package init(descriptor: Int32, lineLimit: Int = 1 << 20) {
        self.descriptor = descriptor
        input = LineBuffer(limit: lineLimit)
        let uid = clinux_peer_uid(descriptor)
        let pid = clinux_peer_pid(descriptor)
        peerUID = uid < 0 ? nil : UInt32(truncatingIfNeeded: uid)
        peerPID = pid <= 0 ? nil : Int32(truncatingIfNeeded: pid)
    }

    /// Connects to the socket at `path`, which never blocks for a Unix socket; a full backlog is an error (`EAGAIN`).
    package static func connect(path: String) throws(SocketError) -> UnixConnection {
        let address = try UnixAddress(path: path)
        let descriptor = try address.makeSocket()
        guard address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
            let failure = SocketError.last("connect", path)
            Glibc.close(descriptor)
            throw failure
        }
        return UnixConnection(descriptor: descriptor)
    }

    /// Begins to read. The callbacks should be set by now.
    package func start() {
        guard isOpen, source == nil else { return }
        source = DescriptorSource(descriptor, .readable) { [weak self] in self?.handle($0) }
        updateWatch()
    }

    package var isOpen: Bool {
        descriptor >= 0
    }

    /// Bytes that wait to be written.
    package var pendingByteCount: Int {
        output.count - written
    }

    /// Stops reading, which holds the peer back, or goes on.
    package func setReading(_ reads: Bool) {
        isPaused = !reads
        updateWatch()
        if reads { source?.dispatchSoon() }
    }

    /// Sends `line` and a line feed, and with them copies of `descriptors` (SCM_RIGHTS; at most 8). Returns `false`, having
    /// sent nothing, when the connection is closed or more than `writeLimit` bytes would wait.
    @discardableResult
    package func send(_ line: some Collection<UInt8>, descriptors: [Int32] = []) -> Bool {
        guard isOpen, farewell == nil, pendingByteCount + line.count + 1 <= writeLimit else { return false }
        let wasIdle = pendingByteCount == 0
        if !descriptors.isEmpty {
            attachments.append((output.count, descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }))
        }
        output.append(contentsOf: line)
        output.append(0x0A)
        if wasIdle { flush() }
        return isOpen
    }

    /// Closes at once; what waits is dropped. No callback follows.
    package func close() {
        guard isOpen else { return }
        source = nil
        farewell = nil
        Glibc.close(descriptor)
        descriptor = -1
        dropAttachments()
        forgetCallbacks()
    }

    /// Writes what waits, says that nothing more comes, and closes when the peer has closed or 2 s have passed. What the
    /// peer still sends is dropped: a socket that is closed with bytes unread is reset, and a peer that was writing
    /// would not come to read the last words. No callback follows.
    package func closeWhenWritten() {
        guard isOpen, farewell == nil else { return }
        forgetCallbacks()
        input = LineBuffer(limit: 0)
        start()
        let farewell = EngineTimer { self.close() }
        farewell.arm(after: Self.farewellTime)
        self.farewell = farewell
        isPaused = false
        if pendingByteCount == 0 { shutdown(descriptor, Int32(SHUT_WR)) }
        updateWatch()
    }

    private func dropAttachments() {
        for attachment in attachments { attachment.descriptors.forEach { Glibc.close($0) } }
        attachments = []
    }

    private func forgetCallbacks() {
        onLine = nil
        onClose = nil
        onDrained = nil
    }

    isolated deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
        dropAttachments()
    }
}

extension UnixConnection {
    private func handle(_ events: DescriptorSource.Events) {
        if events.contains(.writable) { flush() }
        guard isOpen else { return }
        guard !isPaused else {
            if events.contains(.error) || events.contains(.hangUp) { end(.endOfStream) }
            return
        }
        if farewell != nil {
            if readSome(keeping: false) != nil { close() }
            return
        }
        // A full buffer of lines is worked off before more is read.
        deliverLines(input.count <= input.limit ? readSome() : nil)
    }

    /// Reads once. Returns why the stream has ended, if it has.
    private func readSome(keeping keeps: Bool = true) -> CloseReason? {
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 16) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            let code = errno
            if count > 0 {
                if keeps { input.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                return nil
            }
            if count == 0 { return .endOfStream }
            return code == EAGAIN || code == EINTR ? nil : .failed(code)
        }
    }

    private func deliverLines(_ ending: CloseReason?) {
        let deadline = MonoTime.now() + Self.turn
        while MonoTime.now() < deadline {
            guard isOpen, !isPaused else { return }
            guard let line = input.next() else {
                if let reason = input.isOverlong ? .lineTooLong : ending { end(reason) }
                return
            }
            onLine?(line)
        }
        source?.dispatchSoon()
    }

    private func flush() {
        while pendingByteCount > 0 {
            let count = sendSome()
            let code = errno
            guard count >= 0 else {
                if code == EINTR { continue }
                if code != EAGAIN { return end(.failed(code)) }
                break
            }
            written += count
        }
        guard pendingByteCount == 0 else { return keepWaiting() }
        let hadWaited = source?.watched.contains(.writable) == true
        output.removeAll(keepingCapacity: output.capacity <= 65536)
        written = 0
        if farewell != nil { shutdown(descriptor, Int32(SHUT_WR)) }
        updateWatch()
        if hadWaited { onDrained?() }
    }

    /// Writes once, up to where the next descriptors go.
    private func sendSome() -> Int {
        output.withUnsafeBytes { bytes in
            guard let next = attachments.first, next.place == written else {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written..<(attachments.first?.place ?? bytes.count)])
                return Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            let end = attachments.count > 1 ? attachments[1].place : bytes.count
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written..<end])
            let count = clinux_send_descriptors(
                descriptor, rest.baseAddress, rest.count, next.descriptors, Int32(next.descriptors.count))
            if count > 0 { attachments.removeFirst().descriptors.forEach { Glibc.close($0) } }
            return count
        }
    }

    private func keepWaiting() {
        if written > 65536 {
            output.removeSubrange(..<written)
            for index in attachments.indices { attachments[index].place -= written }
            written = 0
        }
        updateWatch()
    }

    private func updateWatch() {
        var events: DescriptorSource.Events = []
        if !isPaused { events.insert(.readable) }
        if pendingByteCount > 0 { events.insert(.writable) }
        source?.watch(events)
    }

    private func end(_ reason: CloseReason) {
        let notify = onClose
        if reason == .lineTooLong, !overlongAnswer.isEmpty {
            send(overlongAnswer)
            closeWhenWritten()
        } else {
            close()
        }
        notify?(reason)
    }
}
