import MediaEngine
import Testing

@Suite struct LossVerdictTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// Rows are speakers, columns listeners, in the order you, bob, chi, dee; `.`: not known.
        var rows: [String]
        var sentence: String
    }

    private static let names = ["you", "bob", "chi", "dee"]

    private static func matrix(_ rows: [String]) -> LossMatrix<Int> {
        var matrix = LossMatrix(members: Array(rows.indices))
        for (speaker, row) in rows.enumerated() {
            for (listener, cell) in row.split(separator: " ").enumerated() where speaker != listener {
                matrix[speaker: speaker, listener: listener] = Double(cell).map { $0 / 100 }
            }
        }
        return matrix
    }

    @Test(arguments: [
        Case(
            testDescription: "everyone loses chi",
            rows: [". 0.0 0.1 0.0", "0.2 . 0.1 0.3", "7.8 8.1 . 7.6", "0.0 0.0 0.0 ."],
            sentence: "chi's uplink loses 8%: all hear it"),
        Case(
            testDescription: "everyone loses me",
            rows: [". 4.0 5.0 6.0", "0 . 0 0", "0 0 . 0", "0 0 0 ."], sentence: "your uplink loses 5%: all hear it"),
        Case(
            testDescription: "I lose everyone",
            rows: [". 0 0 0", "5 . 0 0", "6 0 . 0", "4 0 0 ."], sentence: "your downlink loses 5%: you lose everyone"),
        Case(
            testDescription: "bob loses everyone",
            rows: [". 9 0 0", "0 . 0 0", "0 9 . 0", "0 9 0 ."], sentence: "bob's downlink loses 9%: bob loses everyone"),
        Case(
            testDescription: "one pair, one way",
            rows: [". 0 0 0", "0 . 0 0", "6 0 . 0", "0 0 0 ."], sentence: "the path between you and chi loses 6%"),
        Case(
            testDescription: "one pair, both ways",
            rows: [". 0 0 0", "0 . 6 0", "0 3 . 0", "0 0 0 ."], sentence: "the path between bob and chi loses 6%"),
        Case(
            testDescription: "one of two listeners loses a little less than the threshold",
            rows: [". 0 0", "0 . 0", "2.4 1.7 ."], sentence: "chi's uplink loses 2%: all hear it"),
        Case(
            testDescription: "who does not report is not counted",
            rows: [". 0 0 .", "0 . 0 .", "8 8 . .", "0 0 0 ."], sentence: "chi's uplink loses 8%: all hear it"),
    ])
    func verdictIsTheOneLinkThatExplainsAll(_ given: Case) {
        #expect(sentence(given.rows) == given.sentence)
    }

    @Test(arguments: [
        "everyone loses everyone": [". 5 5", "5 . 5", "5 5 ."],
        "two unrelated pairs": [". 5 0 0", "0 . 0 0", "0 0 . 5", "0 0 0 ."],
        "some but not all lose chi": [". 0 0 0", "0 . 0 0", "8 8 . 0", "0 0 0 ."],
        "one pair, and nobody else knows chi": [". . 0", "0 . 0", "8 . ."],
        "an uplink and another's path": [". 0 0 0", "0 . 0 5", "8 8 . 8", "0 0 0 ."],
    ])
    func whatNoSingleLinkExplainsIsUnclear(_ name: String, rows: [String]) {
        #expect(sentence(rows) == "unclear whose link loses packets")
    }

    @Test(arguments: [[". 0 1.9", "0.3 . 0", "0 1.2 ."], [". . .", ". . .", ". . ."]])
    func withoutKnownLossNoLinkIsNamed(rows: [String]) {
        #expect(sentence(rows) == "no one's link loses packets")
    }

    @Test func verdictNamesMemberAndLoss() {
        #expect(LossVerdict(Self.matrix([". 0", "50 ."])) == .path(1, 0, loss: 0.5))
        #expect(LossVerdict(Self.matrix([". 50 25", "0 . 0", "0 0 ."])) == .uplink(0, loss: 0.375))
    }

    private func sentence(_ rows: [String]) -> String {
        LossVerdict(Self.matrix(rows)).sentence(me: 0) { Self.names[$0] }
    }
}
