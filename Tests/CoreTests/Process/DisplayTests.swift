import ControlClient
import ControlProtocol
import Foundation
import TestSupport
import Testing

/// The core of a box outlives logins: what it starts has the display of whoever attached last.
@Suite(.serialized) struct DisplayTests {
    @Test func whatTheCoreStartsHasTheDisplayOfTheConsoleThatAttachedLast() throws {
        let hoot = try HootProgram()
        #expect(try hoot.run("core").status == 0)
        let connection = try hoot.attach()
        let file = hoot.base.path + "/display"
        for display in ["elsewhere:7", "elsewhere:8"] {
            _ = try connection.call("core.subscribe", ["display": .string(display)])
            let source = "terminal:printf %s \"$DISPLAY\" >\(file); read x"
            _ = try connection.call("video.select", ["source": .string(source)])
            _ = try connection.call("video.preview", ["on": .bool(true)])
            let isSeen = holds(within: .seconds(20)) {
                (try? String(contentsOfFile: file, encoding: .utf8)) == display
            }
            #expect(isSeen, "\(display)")
            _ = try connection.call("video.preview", ["on": .bool(false)])
        }
    }
}
