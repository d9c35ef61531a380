/// The recording of a call that is made here.
package struct RecordingState: Codable, Hashable, Sendable {
    package var path: String
    /// Milliseconds since 1970.
    package var startedAt: Int

    package init(path: String, startedAt: Int) {
        self.path = path
        self.startedAt = startedAt
    }
}
