import Testing

@testable import Signaling

/// The page as it is served: small, whole, and without anything that its policy forbids.
@Suite struct GuestPageTests {
    private func text(_ name: String) -> String {
        RoomPage.files[name].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }

    @Test func allOfItIsSmall() {
        let byteCount = RoomPage.files.values.reduce(0) { $0 + $1.bytes.count }
        #expect(byteCount <= 60_000)
        #expect(RoomPage.files.values.allSatisfy { !$0.bytes.isEmpty })
    }

    /// What is left out of scripts is never inside a text.
    @Test func noTextOfAScriptSpansLines() {
        for name in RoomPage.files.keys where name.hasSuffix(".js") {
            for line in text(name).split(separator: "\n") {
                #expect(line.count { $0 == "`" }.isMultiple(of: 2), "\(name): \(line)")
            }
        }
    }

    @Test func everyFileIsOfAKindThatBrowsersTake() {
        let types = Set(RoomPage.files.values.map(\.type))
        #expect(types == ["text/html; charset=utf-8", "text/css; charset=utf-8", "text/javascript; charset=utf-8"])
    }

    @Test func itRefersOnlyToFilesOfItsOwn() throws {
        var names: Set<String> = []
        for match in text("index.html").matches(of: /(?:src|href)="([^"]+)"/) where match.1 != "data:," {
            names.insert(String(try #require(match.1.split(separator: "/page/").first)))
        }
        for name in RoomPage.files.keys where name.hasSuffix(".js") {
            for match in text(name).matches(of: /from "\.\/([^"]+)"/) { names.insert(String(match.1)) }
        }
        #expect(names.union(["index.html"]) == Set(RoomPage.files.keys))
    }

    @Test func nothingComesFromElsewhereAndNothingIsInline() {
        let page = text("index.html")
        #expect(page.firstMatch(of: /<script(?![^>]*src=)|<style|style="|\son[a-z]+=/) == nil)
        for name in RoomPage.files.keys {
            #expect(text(name).firstMatch(of: /https?:\/\//) == nil, "\(name)")
            #expect(text(name).firstMatch(of: /innerHTML|insertAdjacentHTML|document\.write|\beval\(|cookie/) == nil)
        }
    }

    @Test func thePolicyForbidsWhatThePageDoesNotNeed() throws {
        let policy = try #require(RoomPage.headers.first { $0.0 == "Content-Security-Policy" }?.1)
        let rules = Dictionary(
            uniqueKeysWithValues: policy.split(separator: "; ").map { rule in
                let words = rule.split(separator: " ", maxSplits: 1)
                return (String(words[0]), String(words[1]))
            })
        for name in ["default-src", "form-action", "frame-ancestors", "base-uri"] { #expect(rules[name] == "'none'") }
        for name in ["script-src", "style-src", "connect-src"] { #expect(rules[name] == "'self'") }
    }

    @Test func theWordsAreThoseOfTheAuthenticationString() {
        #expect(text("words.js").matches(of: /"([a-z]+)"/).map(\.1) == AuthenticationWords.all)
    }

    /// Every element that the scripts look up, and every label, has its element.
    @Test func scriptsAndLabelsFindTheirElements() {
        let ids = Set(text("index.html").matches(of: /\sid="([^"]+)"/).map(\.1))
        let found = text("view.js").matches(of: /find\("([^"]+)"\)/).map(\.1)
        let named = text("index.html").matches(of: /(?:for|aria-labelledby)="([^"]+)"/).map(\.1)
        for id in found + named { #expect(ids.contains(id), "\(id)") }
    }
}
