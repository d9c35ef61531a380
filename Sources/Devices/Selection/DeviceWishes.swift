/// What the settings and the person want of the devices.
package struct DeviceWishes: Hashable, Sendable {
    /// The configured sink's stable name; `nil`: chosen by rule.
    package var sink: String?
    /// The configured source's stable name; `nil`: chosen by rule.
    package var source: String?
    /// The route asked for during this call (A36.4, A37.1); `nil`: the default.
    package var route: AudioRoute?
    /// The configured default route (A36.1); `nil`: by the call's mode.
    package var defaultRoute: AudioRoute?
    package var mode = CallMode.voice
    /// Whether Bluetooth devices may be taken, with a profile that has a microphone (Q30, Q33).
    package var allowsBluetooth = true
    /// Whether Bluetooth devices may be taken that only play (Q34).
    package var allowsBluetoothPlaybackOnly = true

    package init() {}
}
