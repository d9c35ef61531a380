import Foundation
import Glibc
import Primitives

/// What this process costs: processor time since the last look, memory now.
struct ProcessUsage {
    private var lastTime = MonoTime.now()
    private var lastCPU = ProcessUsage.cpuTime()

    /// Per cent of one core since the last call.
    mutating func takeCPUPercent() -> Double {
        let now = MonoTime.now()
        let cpu = Self.cpuTime()
        defer { (lastTime, lastCPU) = (now, cpu) }
        let elapsed = (now - lastTime).seconds
        return elapsed > 0 ? (cpu - lastCPU).seconds / elapsed * 100 : 0
    }

    /// Resident memory in megabytes (10⁶ bytes).
    static func residentMB() -> Double? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        guard fields.count > 1, let pages = Double(fields[1]) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
    }

    private static func cpuTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
