/// Which panel has the focus, and which has the screen.
extension ConsoleModel {
    /// The panel that keys for panels mean: the one that was chosen, else the stage where it has pictures.
    var focus: Panel {
        if let focusedPanel, panels.contains(focusedPanel) { return focusedPanel }
        return hasPictures ? .stage : .people
    }

    /// The panels that there are to focus.
    var panels: [Panel] {
        Panel.allCases.filter { panel in
            switch panel {
            case .people: true
            case .stage: hasPictures
            case .loss: selectedPerson != nil
            case .messages: !log.messages.isEmpty
            }
        }
    }

    /// The panel that has the others' room. While the chosen one is not there (nobody shows a picture), no other takes
    /// its place.
    var zoomedPanel: Panel? {
        guard isZoomed else { return nil }
        let panel = focusedPanel ?? enlargedPanel ?? focus
        return panels.contains(panel) ? panel : nil
    }

    mutating func toggleZoom() {
        isZoomed.toggle()
        enlargedPanel = isZoomed ? focus : nil
    }

    /// Goes on to the next panel, or back to the one before.
    mutating func moveFocus(back: Bool) {
        let panels = panels
        let index = panels.firstIndex(of: focus) ?? 0
        focusedPanel = panels[(index + (back ? panels.count - 1 : 1)) % panels.count]
    }

    /// Lets go of what was chosen: the filter, else the selected person, else the focus and the zoom.
    mutating func letGo() {
        if !filter.isEmpty {
            filter = ""
        } else if selectedID != nil {
            selectedID = nil
        } else {
            (focusedPanel, isZoomed) = (nil, false)
        }
    }
}
