/// Every theme scope that the console reads.
package enum Scope: String, CaseIterable, Sendable {
    case text
    case textFaint = "text.faint"
    case textStrong = "text.strong"
    case header
    case headerRoom = "header.room"
    case headerWarning = "header.warning"
    case microphone = "mic"
    case microphoneLive = "mic.live"
    case microphoneMuted = "mic.muted"
    case microphoneClosed = "mic.closed"
    case microphoneNone = "mic.none"
    case microphoneHold = "mic.hold"
    case microphoneUnknown = "mic.unknown"
    case microphonePending = "mic.pending"
    case microphoneWarning = "mic.warning"
    case panelRule = "panel.rule"
    case panelTitle = "panel.title"
    case panelTitleFocused = "panel.title.focused"
    case person
    case personSelected = "person.selected"
    case personSpeaking = "person.speaking"
    case personLost = "person.lost"
    case personMuted = "person.muted"
    case meter
    case meterLoud = "meter.loud"
    case meterClip = "meter.clip"
    case meterPeak = "meter.peak"
    case meterMuted = "meter.muted"
    case loss
    case lossNone = "loss.none"
    case lossSome = "loss.some"
    case lossBad = "loss.bad"
    case spark
    case key
    case keyLabel = "key.label"
    case keyDisabled = "key.disabled"
    case message
    case messageChat = "message.chat"
    case messageWarning = "message.warning"
    case messageError = "message.error"
    case prompt
    case promptKey = "prompt.key"

    /// Steps of one thing, the worst last, which have to be told apart.
    package static let scales = [
        [meter, .meterLoud, .meterClip].map(\.rawValue), [loss, .lossSome, .lossBad].map(\.rawValue),
    ]

    /// The names, to check themes against.
    package static var names: Set<String> {
        Set(allCases.map(\.rawValue))
    }
}
