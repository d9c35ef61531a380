import Glibc
import Primitives
import Synchronization

/// Lets a test wait for something that another thread brings about, with a deadline and without polling.
package final class Doorbell: Sendable {
    // unchecked: `pthread_mutex_t` and `pthread_cond_t` are made for use by several threads; they never move.
    private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private nonisolated(unsafe) let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    private let ringCount = Atomic<Int>(0)

    package init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Has every waiter look again. Any thread.
    package func ring() {
        pthread_mutex_lock(mutex)
        ringCount.wrappingAdd(1, ordering: .relaxed)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until `holds`, which is tried at once and after each ring, and may take locks of its own. Returns whether
    /// it did within `limit`.
    package func wait(within limit: Duration, until holds: () -> Bool) -> Bool {
        let deadline = MonoTime.now() + limit
        while true {
            let seen = ringCount.load(ordering: .relaxed)
            if holds() { return true }
            guard waitForRing(after: seen, until: deadline) else { return holds() }
        }
    }

    private func waitForRing(after seen: Int, until deadline: MonoTime) -> Bool {
        var time = timespec(
            tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while ringCount.load(ordering: .relaxed) == seen {
            guard pthread_cond_timedwait(condition, mutex, &time) != ETIMEDOUT else { return false }
        }
        return true
    }
}
