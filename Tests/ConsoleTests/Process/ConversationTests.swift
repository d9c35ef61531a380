import Foundation
import Primitives
import TestSupport
import Testing

/// Two people at two consoles, each with a core of their own: what one does with keys, the other one sees.
@Suite(.serialized)
struct ConversationTests {
    /// A console with its core, which is stopped at the end.
    private final class Seat {
        let directory: TemporaryDirectory
        let console: ConsoleProcess

        init(_ arguments: [String]) throws {
            directory = try TemporaryDirectory("hoot-console")
            console = try ConsoleProcess(arguments, in: directory, rows: 40, columns: 120)
        }

        deinit {
            console.send(SIGTERM)
            _ = console.wait()
            _ = try? ConsoleProcess.run(["core", "stop"], in: directory)
        }

        /// Whether the screen comes to hold all of these words.
        func shows(_ words: String..., in row: Int? = nil) -> Bool {
            func fits(_ picture: TerminalPicture) -> Bool {
                words.allSatisfy { word in
                    row.map { picture.lines[$0].contains(word) } ?? picture.lines.contains { $0.contains(word) }
                }
            }
            let picture = console.screen(until: fits)
            if !fits(picture) { Issue.record("\(words) are missing:\n\(picture.lines.joined(separator: "\n"))") }
            return fits(picture)
        }

        func type(_ text: String) {
            console.terminal.type(text)
        }

        /// Whether a message comes to reach somebody: that takes connected peers.
        func canChat() throws -> Bool {
            let deadline = MonoTime.now() + .seconds(20)
            while MonoTime.now() < deadline {
                if try ConsoleProcess.run(["chat", "are you there?"], in: directory) == 0 { return true }
            }
            return false
        }

        /// The link that the invite key copies; the page is closed again.
        func link() throws -> String {
            type("i")
            let picture = console.screen { $0.clipboard != nil && $0.lines[0].contains("Invite") }
            let data = try #require(picture.clipboard.flatMap { Data(base64Encoded: $0) })
            type("\u{1B}")
            _ = console.screen { $0.lines[0].contains("in call") }
            return String(decoding: data, as: UTF8.self)
        }
    }

    @Test func whatOneWritesTheOtherReads() throws {
        let ann = try Seat(["host", "den", "--listen", "127.0.0.1:0", "--name", "ann"])
        #expect(ann.shows("1 in call", in: 0))
        let bob = try Seat(["join", try ann.link(), "--name", "bob"])
        #expect(ann.shows("2 in call", in: 0) && bob.shows("2 in call", in: 0))
        #expect(try ann.canChat())
        #expect(bob.shows("ann: are you there?"))
        ann.type("thello bob\r")
        #expect(bob.shows("ann: hello bob") && bob.shows("2 unread", in: 0))
        bob.type("tmorning, ann\r")
        #expect(ann.shows("bob: morning, ann", "you: hello bob") && bob.shows("you: morning, ann"))
        #expect(!bob.console.screen { !$0.lines[0].contains("unread") }.lines[0].contains("unread"))
    }

    @Test func whoKnocksIsAdmittedAndWhoIsKickedIsOutAndAnInviteForOneIsForOne() throws {
        let ann = try Seat(["host", "den", "--lobby", "--listen", "127.0.0.1:0", "--name", "ann"])
        #expect(ann.shows("1 in call", in: 0))
        let link = try ann.link()
        let bob = try Seat(["join", link, "--name", "bob"])
        #expect(ann.shows("bob knocks", "a admit") && bob.shows("knocking…", in: 0))
        ann.type("a")
        #expect(ann.shows("2 in call", in: 0) && bob.shows("2 in call", in: 0))
        // The one other person is selected.
        ann.type("X")
        #expect(ann.shows("kick bob out of den?"))
        ann.type("y")
        #expect(bob.shows("Rooms") && ann.shows("1 in call", in: 0))
        #expect(bob.shows("removed you"))
        let eva = try Seat(["join", link, "--name", "eva"])
        #expect(ann.shows("eva knocks"))
        ann.type("x")
        #expect(eva.shows("Rooms") && ann.shows("eva is turned away"))
        // An invite as host for one person, an hour long, needs no knocking.
        ann.type("inhjljl\r")
        #expect(ann.shows("> 2 host, one person, 59 min"))
        let sent = try #require(ann.console.screen(within: .zero).clipboard.flatMap { Data(base64Encoded: $0) })
        let made = String(decoding: sent, as: UTF8.self)
        #expect(made != link && made.contains("/r/den#"))
        ann.type("\u{1B}")
        let gil = try Seat(["join", made, "--name", "gil"])
        #expect(gil.shows("2 in call", in: 0) && ann.shows("2 in call", in: 0))
    }

    /// One call has the devices, the others are held.
    @Test func oneOfTwoCallsIsHeldAndAKeySwapsThem() throws {
        let ann = try Seat(["host", "den", "--listen", "127.0.0.1:0", "--name", "ann"])
        let bob = try Seat(["host", "lab", "--listen", "127.0.0.1:0", "--name", "bob"])
        #expect(ann.shows("1 in call", in: 0) && bob.shows("1 in call", in: 0))
        let eva = try Seat(["join", try ann.link(), "--name", "eva"])
        #expect(eva.shows("2 in call", in: 0))
        eva.type("l\(try bob.link())\r")
        #expect(eva.shows(" 1 den held ", "[2 lab]", "2 in call", in: 0))
        #expect(ann.shows("holds, muted"))
        eva.type("\u{1B}1")
        #expect(eva.shows("[1 den]", " 2 lab held ", in: 0))
        #expect(bob.shows("holds, muted"))
        #expect(!Self.holds(ann.console.screen { !Self.holds($0) }))
        eva.type("ql")
        #expect(ann.shows("1 in call", in: 0))
    }

    private static func holds(_ picture: TerminalPicture) -> Bool {
        picture.lines.contains { $0.contains("holds, muted") }
    }
}
