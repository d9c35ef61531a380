import ControlProtocol
import Glibc

/// Lengths of time as people write and read them on the command line.
enum Lifetime {
    /// The seconds of `90s`, `30m`, `2h` or `7d`.
    static func seconds(_ text: String) throws(UsageError) -> Int {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), text.utf8.dropLast().allSatisfy(isDigit),
            let count = Int(text.dropLast()), (1...10_000_000).contains(count)
        else { throw UsageError("a time such as 90s, 30m, 2h or 7d, not \(text.quoted)") }
        guard count * unit <= 315_360_000 else { throw UsageError("at most 3650d, not \(text.quoted)") }
        return count * unit
    }

    /// In the largest unit that fits.
    static func words(seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(max(0, seconds)) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    /// Milliseconds since 1970.
    static var now: Int {
        time(nil) * 1000
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
