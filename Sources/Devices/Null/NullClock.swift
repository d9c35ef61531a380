import CLinux
import Glibc
import MediaEngine
import Primitives
import Synchronization

/// What went wrong on the threads of one null device, over all its starts.
final class NullClockCounters: Sendable {
    let late = Atomic<Int>(0)
    let skipped = Atomic<Int>(0)
}

/// One run of a null device: a detached thread that calls the client until it is told to stop.
final class NullClock: Sendable {
    /// Who may call the client.
    private enum Gate {
        static let idle = 0
        static let inClient = 1
        static let closed = 2
    }

    let isCapturing: Atomic<Bool>
    private let client: any AudioClient
    private let source: (any SampleSource)?
    private let sink: (any SampleSink)?
    private let counters: NullClockCounters
    private let gate = Atomic<Int>(Gate.idle)

    init(
        client: any AudioClient, source: (any SampleSource)?, sink: (any SampleSink)?, counters: NullClockCounters,
        capture: Bool
    ) {
        self.client = client
        self.source = source
        self.sink = sink
        self.counters = counters
        isCapturing = Atomic(capture)
    }

    /// Starts the thread; it keeps this object alive until it ends.
    func start() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let box = Unmanaged.passRetained(self)
        let status = pthread_create(&thread, &attributes, runNullClock, box.toOpaque())
        pthread_attr_destroy(&attributes)
        if status != 0 {
            Log.error("devices", "pthread_create: \(String(cString: strerror(status))); the call has no clock")
            box.release()
        }
    }

    /// Returns when the client is called no more; waits at most for the call that is under way. The thread itself ends
    /// at its next tick.
    func stop() {
        while true {
            let found = gate.compareExchange(
                expected: Gate.idle, desired: Gate.closed, ordering: .acquiringAndReleasing)
            if found.exchanged || found.original == Gate.closed { return }
            var pause = timespec(tv_sec: 0, tv_nsec: 50_000)
            nanosleep(&pause, nil)
        }
    }

    fileprivate func run() {
        clinux_set_thread_name("hoot-null-audio")
        raiseThreadPriority()
        let frame = UnsafeMutableBufferPointer<Float>.allocate(capacity: AudioFormat.frameSampleCount)
        defer { frame.deallocate() }
        var schedule = TickSchedule(period: AudioFormat.frameDuration, start: .now())
        while true {
            sleep(until: schedule.next)
            guard enter() else { return }
            let now = MonoTime.now()
            tick(frame, at: now)
            leave()
            let before = schedule
            schedule.take(at: now)
            counters.late.wrappingAdd(schedule.lateCount - before.lateCount, ordering: .relaxed)
            counters.skipped.wrappingAdd(schedule.skippedCount - before.skippedCount, ordering: .relaxed)
        }
    }

    private func tick(_ frame: UnsafeMutableBufferPointer<Float>, at now: MonoTime) {
        if isCapturing.load(ordering: .acquiring) {
            if let source {
                source.fill(frame, at: now)
            } else {
                frame.update(repeating: 0)
            }
            client.captured(UnsafeBufferPointer(frame), latency: AudioFormat.frameDuration, at: now)
        }
        client.render(into: frame, latency: .zero, at: now)
        sink?.take(UnsafeBufferPointer(frame), at: now)
    }

    private func enter() -> Bool {
        gate.compareExchange(expected: Gate.idle, desired: Gate.inClient, ordering: .acquiringAndReleasing).exchanged
    }

    private func leave() {
        gate.store(Gate.idle, ordering: .releasing)
    }

    private func sleep(until deadline: MonoTime) {
        var time = timespec(
            tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}

private func runNullClock(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let box else { return nil }
    Unmanaged<NullClock>.fromOpaque(box).takeRetainedValue().run()
    return nil
}
