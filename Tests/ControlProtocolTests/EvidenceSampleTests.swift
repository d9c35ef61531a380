import ControlProtocol
import Testing

struct EvidenceSampleTests {
    @Test func aLineHasTheColumnsOfTheHeader() {
        var sample = EvidenceSample(time: 1_796_047_509_250, call: "call-1", room: "standup")
        sample.participant = "p1"
        sample.name = "chi"
        sample.receivedLossPercent = 7.8
        sample.receivedLost = 4
        let header = EvidenceSample.csvHeader.split(separator: ",", omittingEmptySubsequences: false)
        let line = sample.csvLine.split(separator: ",", omittingEmptySubsequences: false)
        #expect(header.count == line.count)
        let fields = Dictionary(uniqueKeysWithValues: zip(header, line))
        #expect(fields["time"] == "2026-11-30T14:05:09.250Z")
        #expect(fields["name"] == "chi" && fields["receivedLossPercent"] == "7.8" && fields["receivedLost"] == "4")
        #expect(fields["mos"] == "" && fields["note"] == "")
    }

    @Test(arguments: [
        ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("=HYPERLINK(1)", "'=HYPERLINK(1)"), ("-1", "'-1"),
        ("two\nlines", "\"two\nlines\""), ("+1,2", "\"'+1,2\""), ("plain", "plain"),
    ])
    func whatOthersChooseNeitherBreaksATableNorComputes(text: String, field: String) {
        var sample = EvidenceSample(time: 0, call: "c", room: "r")
        sample.note = text
        #expect(sample.csvLine.hasSuffix("," + field))
    }
}
