import SDP

/// Whatever is read as a description is written and read again as the same; a candidate line too; and a negotiation
/// takes all of it.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    if let description = try? SessionDescription(parsing: text) {
        let again = try? SessionDescription(parsing: description.text)
        precondition(again?.sections.count == description.sections.count)
    }
    if let candidate = try? CandidateAttribute(parsing: text) {
        precondition((try? CandidateAttribute(parsing: candidate.text)) == candidate)
    }
    negotiate(text)
    return 0
}

private func negotiate(_ text: String) {
    let digest = Array(repeating: "AB", count: 32).joined(separator: ":")
    guard let parameters = ICEParameters(ufrag: "fuzz", password: "fuzzfuzzfuzzfuzzfuzzfuzz"),
        let fingerprint = Fingerprint(algorithm: "sha-256", value: digest)
    else { return }
    let configuration = NegotiationConfiguration(
        isPolite: true, fingerprint: fingerprint, sessionID: "1", makeCredentials: { parameters })
    var negotiation = Negotiation(configuration, credentials: parameters)
    _ = negotiation.start()
    _ = negotiation.receive(SignaledDescription(kind: .answer, text: text))
    _ = negotiation.receive(SignaledDescription(kind: .offer, text: text))
    _ = negotiation.receive(SignaledCandidate(text: text, mid: nil, ufrag: nil))
    _ = negotiation.restartICE()
    _ = negotiation.receive(SignaledDescription(kind: .answer, text: text))
}
