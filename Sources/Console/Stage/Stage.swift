/// What the user wants to see on the stage, and who spoke last.
package struct Stage: Hashable, Sendable {
    /// Everybody who shows something, instead of one.
    package internal(set) var isGrid = false
    /// Who stays on the stage, whoever speaks.
    package internal(set) var pinnedID: String?
    /// The one of the others who spoke last.
    package internal(set) var speakerID: String?
}
