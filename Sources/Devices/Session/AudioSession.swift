/// What the owner of the devices is to do after a change of the session.
package enum AudioSessionAction: Hashable, Sendable {
    case none
    /// Start the device: the first call has come.
    case start
    /// Stop the device and undo what was switched for the call: the last one is gone.
    case stop
    /// Choose the devices again.
    case update
}

/// Why the session refused something.
package enum AudioSessionError: Error, Hashable, CustomStringConvertible {
    /// A route is changed during a call; before it there is the default route (A36.1, A37.1).
    case notActive

    package var description: String {
        "no call is active: set `default-route`, or change the route during a call"
    }
}

/// Whether the program has the sound devices, how they are configured, and for whom (Q28–Q43).
///
/// It is configured at any time, activated for each call and deactivated after it. Both are idempotent for a call and
/// counted over all calls; a call that never activated it deactivates nothing (Q40).
package struct AudioSession: Hashable, Sendable {
    /// How the devices are used (Q29): both may be left as they are.
    package struct Configuration: Hashable, Sendable {
        package var mode = CallMode.voice
        package var allowsBluetooth = true
        package var allowsBluetoothPlaybackOnly = true
        /// The route before anybody asks for one; `nil`: by the mode (A36.3).
        package var defaultRoute: AudioRoute?

        package init() {}
    }

    package private(set) var configuration = Configuration()
    /// The route that was asked for; it lasts for the mode and the activation (Q42).
    package private(set) var route: AudioRoute?
    private var calls: Set<String> = []

    package init() {}

    /// Whether some call has the devices.
    package var isActive: Bool {
        !calls.isEmpty
    }

    /// Configures; a changed mode ends the route that was asked for.
    package mutating func setConfiguration(_ configuration: Configuration) -> AudioSessionAction {
        guard configuration != self.configuration else { return .none }
        if configuration.mode != self.configuration.mode { route = nil }
        self.configuration = configuration
        return isActive ? .update : .none
    }

    /// Configures and activates in one step (Q38).
    package mutating func setConfiguration(
        _ configuration: Configuration, activeFor call: String
    ) -> AudioSessionAction {
        let action = setConfiguration(configuration)
        let activation = activate(for: call)
        return activation == .none ? action : activation
    }

    /// Activates for `call` (Q37).
    package mutating func activate(for call: String) -> AudioSessionAction {
        let isFirst = calls.isEmpty
        guard calls.insert(call).inserted, isFirst else { return .none }
        return .start
    }

    /// Deactivates for `call` (Q39); with the last one the route that was asked for ends.
    package mutating func deactivate(for call: String) -> AudioSessionAction {
        guard calls.remove(call) != nil, calls.isEmpty else { return .none }
        route = nil
        return .stop
    }

    /// Takes the sound to one of the two routes (Q43) from now on.
    package mutating func setRoute(_ route: AudioRoute) throws(AudioSessionError) -> AudioSessionAction {
        guard isActive else { throw .notActive }
        guard route != self.route else { return .none }
        self.route = route
        return .update
    }

    /// What the session wants of the devices, beside the configured ones.
    package func wishes(sink: String?, source: String?) -> DeviceWishes {
        var wishes = DeviceWishes()
        wishes.sink = sink
        wishes.source = source
        wishes.route = route
        wishes.defaultRoute = configuration.defaultRoute
        wishes.mode = configuration.mode
        wishes.allowsBluetooth = configuration.allowsBluetooth
        wishes.allowsBluetoothPlaybackOnly = configuration.allowsBluetoothPlaybackOnly
        return wishes
    }
}
