import ControlProtocol
import Primitives
import Testing

@Suite struct MergePatchTests {
    /// The examples of RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func appliesAsTheRFCSays(target: String, patch: String, result: String) throws {
        let applied = MergePatch.apply(try parse(patch), to: try parse(target))
        #expect(applied == (try parse(result)))
    }

    @Test func aDifferenceAppliedToTheOldGivesTheNew() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let old = object(depth: 3, &random)
            let new = object(depth: 3, &random)
            let patch = MergePatch.difference(from: old, to: new)
            #expect(patch.map { MergePatch.apply($0, to: old) } ?? old == new)
        }
    }

    @Test func equalValuesHaveNoDifference() throws {
        #expect(MergePatch.difference(from: try parse(#"{"a":1}"#), to: try parse(#"{"a":1}"#)) == nil)
    }

    private func parse(_ text: String) throws -> JSONValue {
        try #require(JSONValue(parsing: text.utf8))
    }

    private func object(depth: Int, _ random: inout SplitMix64) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for key in ["a", "b", "c", "d"] where Bool.random(using: &random) {
            let isNested = depth > 0 && Bool.random(using: &random)
            members[key] = isNested ? object(depth: depth - 1, &random) : .integer(.random(in: 0...3, using: &random))
        }
        return .object(members)
    }
}
