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
            testDescription: "two people", rows: [". 0", "12 ."], sentence: "the path between you and bob loses 12%"),
        Case(
            testDescription: "nobody loses anything",
            rows: [". 0 1.9", "0.3 . 0", "0 1.2 ."], sentence: "no one's link loses packets"),
        Case(
            testDescription: "nothing is known", rows: [". . .", ". . .", ". . ."],
            sentence: "no one's link loses packets"),
        Case(
            testDescription: "everyone loses everyone",
            rows: [". 5 5", "5 . 5", "5 5 ."], sentence: "unclear whose link loses packets"),
        Case(
            testDescription: "two unrelated pairs",
            rows: [". 5 0 0", "0 . 0 0", "0 0 . 5", "0 0 0 ."], sentence: "unclear whose link loses packets"),
        Case(
            testDescription: "one of two listeners loses a little less than the threshold",
            rows: [". 0 0", "0 . 0", "2.4 1.7 ."], sentence: "chi's uplink loses 2%: all hear it"),
        Case(
            testDescription: "some but not all lose chi",
            rows: [". 0 0 0", "0 . 0 0", "8 8 . 0", "0 0 0 ."], sentence: "unclear whose link loses packets"),
        Case(
            testDescription: "who does not report is not counted",
            rows: [". 0 0 .", "0 . 0 .", "8 8 . .", "0 0 0 ."], sentence: "chi's uplink loses 8%: all hear it"),
        Case(
            testDescription: "one pair, and nobody else knows chi",
            rows: [". . 0", "0 . 0", "8 . ."], sentence: "unclear whose link loses packets"),
        Case(
            testDescription: "an uplink and another's path",
            rows: [". 0 0 0", "0 . 0 5", "8 8 . 8", "0 0 0 ."], sentence: "unclear whose link loses packets"),
    ])
    func verdictIsTheOneLinkThatExplainsAll(_ given: Case) {
        let verdict = LossVerdict(Self.matrix(given.rows))
        #expect(verdict.sentence(me: 0) { Self.names[$0] } == given.sentence)
    }

    @Test func verdictNamesMemberAndLoss() {
        #expect(LossVerdict(Self.matrix([". 0", "50 ."])) == .path(1, 0, loss: 0.5))
        #expect(LossVerdict(Self.matrix([". 50 25", "0 . 0", "0 0 ."])) == .uplink(0, loss: 0.375))
    }
}
