/// What a negotiation dropped, for the statistics.
package struct NegotiationCounters: Equatable, Sendable {
    /// Offers that lost against ours.
    package var ignoredOffers = 0
    /// Own offers that gave way.
    package var rollbacks = 0
    /// Answers that nobody waited for.
    package var staleAnswers = 0
    package var refusedDescriptions = 0
    package var malformedCandidates = 0
    /// Candidates of another transport, protocol, component or generation, or too many.
    package var ignoredCandidates = 0

    package init() {}
}
