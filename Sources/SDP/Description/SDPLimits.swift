/// How much a description may hold before it is refused.
package struct SDPLimits: Equatable, Sendable {
    package var byteCount = 64 * 1024
    package var lineByteCount = 8 * 1024
    package var lineCount = 4096
    package var sectionCount = 64
    /// Candidates of all sections together.
    package var candidateCount = 200

    package init() {}
}
