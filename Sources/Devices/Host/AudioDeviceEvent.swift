/// What happened to the devices.
package enum AudioDeviceEvent: Hashable, Sendable {
    /// `state` changed in some way.
    case stateChanged
    /// The list of devices changed.
    case inventoryChanged
    /// The sound goes elsewhere now (A37.1); `nil`: nowhere.
    case routeChanged(AudioRoute?)
    /// The microphone was opened or released, by us or because it is gone (A20.3).
    case microphoneChanged(isOpen: Bool)
    /// Trouble: how often since it was last told (L20).
    case health(AudioHealth, count: Int)
    /// The server refused a command: what and why.
    case refused(ServerCommand, reason: String)
}
