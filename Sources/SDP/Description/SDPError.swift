/// Why a text is no session description. Line numbers count from 1.
package enum SDPError: Error, Equatable, CustomStringConvertible {
    case tooLarge(byteCount: Int, limit: Int)
    case lineTooLong(line: Int, limit: Int)
    case tooManyLines(limit: Int)
    case tooManySections(limit: Int)
    case tooManyCandidates(limit: Int)
    /// Not of the form `x=value`.
    case malformedLine(Int)
    /// A carriage return or a NUL inside a line.
    case controlCharacter(line: Int)
    /// The first line is not `v=0`.
    case missingVersion
    case malformedOrigin(line: Int)
    case malformedMedia(line: Int)
    case missingOrigin

    package var description: String {
        switch self {
        case .tooLarge(let count, let limit): "description has \(count) bytes, more than \(limit)"
        case .lineTooLong(let line, let limit): "line \(line) is longer than \(limit) bytes"
        case .tooManyLines(let limit): "description has more than \(limit) lines"
        case .tooManySections(let limit): "description has more than \(limit) media sections"
        case .tooManyCandidates(let limit): "description has more than \(limit) candidates"
        case .malformedLine(let line): "line \(line) is not of the form x=value"
        case .controlCharacter(let line): "line \(line) has a control character"
        case .missingVersion: "description does not begin with v=0"
        case .malformedOrigin(let line): "line \(line) is no origin (o=)"
        case .malformedMedia(let line): "line \(line) is no media section (m=)"
        case .missingOrigin: "description has no origin (o=)"
        }
    }
}
