package import ControlProtocol

extension Setting {
    /// The setting as consoles and documents tell of it, with a value as people see it.
    func state(value: JSONValue) -> SettingState {
        var state = SettingState(name: name, kind: .text, value: value, fallback: fallback, summary: summary)
        switch kind {
        case .string, .text, .scalar: break
        case .strings: state.kind = .list
        case .integer(let range):
            state.kind = .number
            (state.least, state.most) = (range.lowerBound, range.upperBound)
        case .choice(let words):
            state.kind = .choice
            state.choices = words
        case .boolean, .toggle: state.kind = .boolean
        }
        if form?.isSecret == true { state.isSecret = true }
        return state
    }
}

extension SettingState {
    /// Every setting with nothing written, in the order of the documents.
    package static let all = Setting.all.map { $0.state(value: $0.fallback) }
}
