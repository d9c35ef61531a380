import CLinux
import Glibc

/// The two ends of a new pipe; the caller closes both. No child that another test starts meanwhile inherits them, or a
/// reader would wait for its end.
package func makePipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    guard clinux_pipe(&ends) == 0 else {
        throw ChildProcess.Failure(description: "pipe: \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
}
