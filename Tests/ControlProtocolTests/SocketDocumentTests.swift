import ControlProtocol
import TestSupport
import Testing

/// The document of the socket is written from the table that the core checks requests by.
@Suite struct SocketDocumentTests {
    private static let path = "Sources/hoot/hoot.docc/Socket.md"

    @Test func theMethodsAreThoseOfTheTable() throws {
        let section = try GeneratedSection("methods", of: Self.path)
        #expect(try section.isOrBecomes(methods), "RECORD=1 swift test writes it anew")
    }

    @Test func theEventsAreThoseOfTheProtocol() throws {
        let section = try GeneratedSection("events", of: Self.path)
        let wanted = EventUpdate.Kind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") + "."
        #expect(try section.isOrBecomes(wanted), "RECORD=1 swift test writes it anew")
    }

    private var methods: String {
        Method.all.map(Self.entry).joined(separator: "\n\n")
    }

    private static func entry(_ method: Method) -> String {
        let frozen = method.isFrozen ? " Frozen." : ""
        let head = "**`\(method.name)`**: \(method.summary).\(frozen)"
        guard !method.parameters.isEmpty else { return head }
        return head + "\n\n" + method.parameters.map(line).joined(separator: "\n")
    }

    private static func line(_ parameter: Parameter) -> String {
        let required = parameter.isRequired ? ", required" : ""
        // The limit of every string is said once, under Limits.
        let expectation = parameter.expectation.replacing(" of at most 4096 bytes", with: "")
        return "- `\(parameter.name)` (\(expectation)\(required)): \(parameter.summary)"
    }
}
