package import MediaEngine
package import Primitives

/// Which picture goes to whom, in which size, and when black ones go instead.
///
/// A picture goes to previews whenever there is one, and to peers while video is enabled. Peers that need a stream get
/// black pictures while nothing is sent to them (Q17). Of a screen that stands still everybody has the last picture.
package struct CaptureRouter {
    /// Names one client.
    package typealias ClientID = ObjectIdentifier

    /// Whom a client hands its pictures to.
    package enum Audience: Hashable, Sendable {
        /// To oneself.
        case preview
        /// To others. `needsBlack`: they take a missing stream for a fault.
        case peers(needsBlack: Bool)
    }

    /// One picture for one client.
    package struct Delivery: Hashable {
        package var client: ClientID
        /// What is made of the picture; `nil`: a black one is sent instead.
        package var fit: FrameFit?
        /// The size that the client gets.
        package var size: VideoSize
        package var isPreview: Bool
    }

    /// From one black picture to the next.
    package static let blackInterval = Duration.seconds(1)

    private struct Client {
        let audience: Audience
        var format: CaptureFormat
        var gate: FrameRateGate
        var nextBlack: MonoTime?
        /// When the last picture of a screen, which the rate did not let through, is made up for.
        var nextRepeat: MonoTime?
        var lastSize: VideoSize?
    }

    private var clients: [ClientID: Client] = [:]
    private var order: [ClientID] = []
    private var isEnabled = true
    private var isRunning = false
    /// Of the source's last picture.
    private var sourceSize = VideoSize(width: 2, height: 2)
    private var isShownWhole = false

    package init() {}

    package var hasClients: Bool { !order.isEmpty }

    /// When `tick` is wanted next; `nil`: nothing is due.
    package var deadline: MonoTime? {
        clients.values.reduce(nil) { earlier(earlier($0, $1.nextBlack), $1.nextRepeat) }
    }

    /// Adds a client, or changes what it wants.
    package mutating func add(_ id: ClientID, audience: Audience, format: CaptureFormat, at now: MonoTime) {
        if clients[id] == nil { order.append(id) }
        let client = Client(
            audience: audience, format: format, gate: FrameRateGate(frameRate: rate(format)),
            lastSize: clients[id]?.lastSize)
        clients[id] = client
        scheduleBlack(at: now)
    }

    package mutating func remove(_ id: ClientID) {
        clients[id] = nil
        order.removeAll { $0 == id }
    }

    /// `enabled` false: peers get nothing that the source gives.
    package mutating func set(enabled: Bool, running: Bool, at now: MonoTime) {
        isEnabled = enabled
        isRunning = running
        for id in order where !(running && (enabled || clients[id]?.audience == .preview)) {
            clients[id]?.nextRepeat = nil
        }
        scheduleBlack(at: now)
    }

    /// A picture of `size` came. `isShownWhole`: it is not to be cropped; `isRepeat`: it was given before and is wanted
    /// again, whatever the rates say; `only`: by this client alone.
    package mutating func route(
        _ size: VideoSize, time: MonoTime, content: VideoEncoderSettings.ContentHint, isShownWhole: Bool,
        isRepeat: Bool = false, to only: ClientID? = nil
    ) -> [Delivery] {
        (sourceSize, self.isShownWhole) = (size, isShownWhole)
        var deliveries: [Delivery] = []
        for id in order where only == nil || only == id {
            guard var client = clients[id], isEnabled || client.audience == .preview else { continue }
            let isAdmitted = client.gate.admits(time)
            client.nextRepeat = isAdmitted || content == .motion ? nil : client.gate.next
            if isAdmitted || isRepeat { deliveries.append(delivery(to: id, &client)) }
            clients[id] = client
        }
        return deliveries
    }

    /// Gives the black pictures that are due, and the last picture to whom it is owed.
    package mutating func tick(at now: MonoTime) -> [Delivery] {
        var deliveries: [Delivery] = []
        for id in order {
            guard var client = clients[id] else { continue }
            if let due = client.nextBlack, due <= now {
                client.nextBlack = now + Self.blackInterval
                deliveries.append(Delivery(client: id, size: client.lastSize ?? client.format.size, isPreview: false))
            }
            if let due = client.nextRepeat, due <= now {
                client.nextRepeat = nil
                _ = client.gate.admits(now)
                deliveries.append(delivery(to: id, &client))
            }
            clients[id] = client
        }
        return deliveries
    }

    /// Cameras are cropped, since what counts is in the middle; screens and films are shown whole.
    private func delivery(to id: ClientID, _ client: inout Client) -> Delivery {
        let wanted = client.format.size
        let fit =
            isShownWhole
            ? FrameFit(fitting: sourceSize, into: wanted) : FrameFit(cropping: sourceSize, to: wanted)
        client.lastSize = fit.size
        return Delivery(client: id, fit: fit, size: fit.size, isPreview: client.audience == .preview)
    }

    private mutating func scheduleBlack(at now: MonoTime) {
        let isSending = isEnabled && isRunning
        for id in order {
            guard let client = clients[id] else { continue }
            if isSending || client.audience != .peers(needsBlack: true) {
                clients[id]?.nextBlack = nil
            } else if client.nextBlack == nil {
                clients[id]?.nextBlack = now
            }
        }
    }

    private func rate(_ format: CaptureFormat) -> Int {
        min(format.frameRate, CaptureFormat.maximumFrameRate)
    }
}
