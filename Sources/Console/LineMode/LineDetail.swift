import ControlProtocol

/// How much the line mode tells by itself.
package enum LineDetail: String, CaseIterable, Sendable {
    /// What is asked of the person here, what becomes of the microphone and the call, and who records it.
    case quiet
    /// Also who comes, goes and speaks, and whose link is bad.
    case normal
    /// Everything.
    case all

    /// The names, for errors and the help.
    package static let names = allCases.map(\.rawValue).joined(separator: "|")

    func tells(_ kind: EventUpdate.Kind) -> Bool {
        switch kind {
        case .callConnected, .callEnded, .callRinging, .knock, .lost, .expiring, .chat, .microphone, .soundServer,
            .memberRecordingOn, .memberRecordingOff, .recording, .warning:
            true
        case .knocking, .interrupted, .rejoined, .renewed, .renewalWanted, .memberJoined, .memberLeft, .memberMuted,
            .memberUnmuted, .memberHeld, .memberResumed, .memberLost, .memberReturned, .memberWaits, .ringing,
            .userDidNotRespond,
            .ringRejected, .hold, .verification:
            self != .quiet
        case .callStarted, .knockOver, .memberVideoOn, .memberVideoOff, .videoLimited, .videoRestored, .camera,
            .connectionClosed, .route, .device, .network, .note, .console:
            self == .all
        }
    }
}
