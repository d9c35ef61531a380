import ControlProtocol

/// Who is on the stage.
extension ConsoleModel {
    /// What a row shows; `nil`: it can show nothing.
    func video(of id: String) -> VideoShown? {
        id == Self.me ? state.video.shown : call?.people[id]?.video
    }

    /// Whether there is a picture of a row to be seen here.
    func isShowing(_ id: String) -> Bool {
        if id == Self.me, isPreviewing, whyNoPreview == nil { return true }
        return switch video(of: id) {
        case .camera, .share: call?.people[id]?.isHidden != true
        case .off, nil: false
        }
    }

    /// The rows that show something; the person here comes last.
    var showingIDs: [String] {
        let rows = rows
        return (rows.dropFirst() + rows.prefix(1)).filter(isShowing)
    }

    /// Who is to be seen, in order: the pinned one, whatever they show; else who spoke last, or the first, of those who
    /// show something. Beside them stands the preview.
    var stageIDs: [String] {
        guard isCurrent else { return [] }
        let showing = showingIDs
        if stage.isGrid { return showing }
        let pinned = stage.pinnedID.flatMap { rows.contains($0) ? $0 : nil }
        guard let first = pinned ?? showing.first(where: { $0 == stage.speakerID }) ?? showing.first else { return [] }
        return isPreviewing && first != Self.me && isShowing(Self.me) ? [first, Self.me] : [first]
    }

    /// Whether there are pictures for the stage.
    var couldShowPictures: Bool { stageIDs.contains(where: isShowing) }

    /// Whether the stage has pictures and needs their room.
    var hasPictures: Bool { hasMeters && couldShowPictures }

    /// The stage follows whoever speaks; not the person here, who knows what they look like.
    mutating func followSpeaker() {
        if let speaking = levels.speaking, speaking != Self.me { stage.speakerID = speaking }
    }

    /// Pins the selected row, or lets go of it.
    mutating func togglePin() {
        let selected = selection
        stage.pinnedID = stage.pinnedID == selected ? nil : selected
        stage.isGrid = false
    }

    mutating func toggleGrid() {
        stage.isGrid.toggle()
    }
}
