/// A part of the call's screen that can have the focus and be given the room of the others.
package enum Panel: String, CaseIterable, Hashable, Sendable {
    case people
    case stage
    case loss
    case messages
}

/// How much of the losses is shown.
package enum LossDetail: CaseIterable, Hashable, Sendable {
    /// Who loses whom, and the selected person's two streams.
    case full
    /// One line.
    case line
    /// A row for each person.
    case people

    var next: LossDetail {
        switch self {
        case .full: .line
        case .line: .people
        case .people: .full
        }
    }
}
