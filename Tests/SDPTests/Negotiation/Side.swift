import Primitives

@testable import SDP

/// A negotiation and what its owner did with its actions.
struct Side {
    var negotiation: Negotiation
    /// Messages to the other side, in order.
    var outbox: [Message] = []
    var transports: [TransportParameters] = []
    var media: [AudioParameters] = []
    var isStopped = false
    /// What was told of data, `nil` for their end.
    var data: [DataParameters?] = []
    /// What was told of video, `nil` for its end.
    var video: [VideoParameters?] = []
    var candidates: [CandidateAttribute] = []
    var isEnded = false
    /// Own candidates of the present ICE generation.
    private(set) var gatheredCount = 0
    private var gatheredEver = 0
    var rollbackCount = 0
    var refusals: [NegotiationError] = []
    var isOfferWaiting = false

    enum Message: Equatable {
        case description(SignaledDescription)
        case candidate(SignaledCandidate)
    }

    static let fingerprints = [false: "0A", true: "0B"].mapValues { pair in
        Fingerprint(algorithm: "sha-256", value: Array(repeating: pair, count: 32).joined(separator: ":"))
    }

    init(
        isPolite: Bool, seed: UInt64 = 0, direction: MediaDirection = .sendrecv,
        configure: (inout NegotiationConfiguration) -> Void = { _ in }
    ) {
        let source = CredentialSource(seed: seed &* 2 &+ (isPolite ? 1 : 0))
        guard let fingerprint = Self.fingerprints[isPolite] ?? nil else { preconditionFailure("a valid fingerprint") }
        var configuration = NegotiationConfiguration(
            isPolite: isPolite, fingerprint: fingerprint, sessionID: isPolite ? "2" : "1",
            makeCredentials: { source.next() })
        configure(&configuration)
        negotiation = Negotiation(configuration, credentials: source.next(), direction: direction)
    }

    /// Lets something happen and does what it asks for.
    mutating func run(_ event: (inout Negotiation) -> [NegotiationAction]) {
        for action in event(&negotiation) { perform(action) }
    }

    /// The ICE agent finds another candidate.
    mutating func gather() throws {
        gatheredEver += 1
        gatheredCount += 1
        let text = "candidate:\(gatheredEver) 1 udp 1 192.0.2.1 \(gatheredEver) typ host"
        let candidate = try CandidateAttribute(parsing: text)
        run { $0.gathered(candidate) }
    }

    mutating func receive(_ message: Message) {
        run { negotiation in
            switch message {
            case .description(let description): negotiation.receive(description)
            case .candidate(let candidate): negotiation.receive(candidate)
            }
        }
    }

    mutating func receive(_ kind: SignaledDescription.Kind, _ text: String) {
        receive(.description(SignaledDescription(kind: kind, text: text)))
    }

    private mutating func perform(_ action: NegotiationAction) {
        switch action {
        case .send(let description): outbox.append(.description(description))
        case .sendCandidate(let candidate): outbox.append(.candidate(candidate))
        case .applyTransport(let parameters): apply(parameters)
        case .applyMedia(let parameters):
            media.append(parameters)
            isStopped = false
        case .stopMedia: isStopped = true
        case .applyData(let parameters): data.append(parameters)
        case .stopData: data.append(nil)
        case .applyVideo(let parameters): video.append(parameters)
        case .stopVideo: video.append(nil)
        case .addCandidate(let candidate): candidates.append(candidate)
        case .endOfCandidates: isEnded = true
        case .offerWaits: isOfferWaiting = true
        case .rolledBack: rollbackCount += 1
        case .refuse(let error): refusals.append(error)
        }
    }

    private mutating func apply(_ parameters: TransportParameters) {
        if let last = transports.last {
            let isChanged = last.remote != parameters.remote || last.local != parameters.local
            precondition(parameters.isRestart == isChanged, "a restart is a change of credentials")
            if last.remote != parameters.remote { (candidates, isEnded) = ([], false) }
            if last.local != parameters.local { gatheredCount = 0 }
        } else {
            precondition(!parameters.isRestart)
        }
        transports.append(parameters)
    }

    /// The description that was sent last, read.
    var lastDescription: SessionDescription? {
        for case .description(let description) in outbox.reversed() {
            return try? SessionDescription(parsing: description.text)
        }
        return nil
    }
}

/// Credentials from a seed: the same in each run of a test.
private final class CredentialSource: @unchecked Sendable {
    // unchecked: a test calls it from one thread.
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    func next() -> ICEParameters {
        ICEParameters(using: &generator)
    }
}
