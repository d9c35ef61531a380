import ControlProtocol
import Foundation
import Glibc
import Primitives
import Reactor

/// The evidence of one call as a file: `calls/TIME-ROOM.csv` of the state directory, which only the user reads.
@EngineActor
final class CallRecord {
    let path: String
    private var descriptor: Int32
    private var waiting = EvidenceSample.csvHeader + "\n"
    private var byteCount = 0
    private var secondsToFlush = CallRecord.flushInterval

    /// Seconds that a crash may cost.
    private static let flushInterval = 10
    /// A day of eight people or so; what comes later is left out.
    private static let byteLimit = 64 << 20
    private static let fileLimit = 50

    /// Begins a file beside at most 49 others, the newest.
    init(room: String, at time: String, in folder: String) throws(UserFacingError) {
        path = "\(folder)/\(time)-\(Self.fileName(of: room)).csv"
        mkdir(folder, 0o700)
        Self.removeOld(in: folder)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure }
    }

    isolated deinit {
        close(descriptor)
    }

    /// Adds the samples of one second, or a note.
    func add(_ samples: [EvidenceSample]) throws(UserFacingError) {
        guard byteCount < Self.byteLimit else { return }
        for sample in samples { waiting += sample.csvLine + "\n" }
        secondsToFlush -= 1
        if secondsToFlush <= 0 || samples.contains(where: { $0.note != nil }) { try flush() }
    }

    func flush() throws(UserFacingError) {
        secondsToFlush = Self.flushInterval
        defer { waiting = "" }
        guard writeWhole(waiting.utf8, to: descriptor) else { throw failure }
        byteCount += waiting.utf8.count
    }

    private var failure: UserFacingError {
        UserFacingError(
            "the call's figures cannot be kept in \(path)", why: String(cString: strerror(errno)),
            remedy: "look at the disk and its rights; call.keep-figures = false keeps none")
    }

    private static func removeOld(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // Their names begin with their times.
        for name in names.filter({ $0.hasSuffix(".csv") }).sorted().dropLast(fileLimit - 1) {
            unlink("\(folder)/\(name)")
        }
    }

    /// A room's name as a part of a file's.
    static func fileName(of room: String) -> String {
        String(room.unicodeScalars.prefix(48).map { isPlain($0) ? Character($0) : "_" })
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}
