import Foundation
import Testing

/// What is in the tree, and what is not.
@Suite struct TreeTests {
    private let tree = SourceTree()

    private static let topLevel: Set<String> = [
        ".ci", ".gitignore", ".swift-format", "Makefile", "Package.swift", "README.md", "Sources", "Tests", "themes",
    ]

    /// What belongs to a machine and not to the product, in two halves so that this file does not name it.
    private static let foreign = [
        ["/wo", "rk/"], ["/ro", "ot/"], ["hoot", "-wt"], ["/ho", "me/runner"], ["py", "pi.org"], ["npm", "js.org"],
        ["deb.", "debian.org"], ["archive.", "ubuntu.com"],
    ].map { $0.joined() }

    @Test func nothingStraysAtTheTop() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: tree.root.path)
        let strays = names.filter { name in
            !Self.topLevel.contains(name) && !name.hasPrefix(".build") && name != ".git" && name != ".swiftpm"
        }
        #expect(strays.isEmpty)
    }

    @Test func sourcesHoldOnlyWhatIsBuiltOrRead() throws {
        let known = ["swift", "c", "cpp", "h", "modulemap", "md", "html", "css", "js", "in"]
        for name in try tree.files(in: "Sources") {
            #expect(known.contains((name as NSString).pathExtension), "\(name) belongs elsewhere")
        }
    }

    @Test func nothingNamesAMachineOrARegistry() throws {
        let texts = ["swift", "c", "cpp", "h", "modulemap", "md", "html", "css", "js", "theme", "py", "sh"]
        let names = try ["Sources", "Tests", "themes"].flatMap(tree.files).filter {
            texts.contains(($0 as NSString).pathExtension)
        }
        for name in names + ["Makefile", "Package.swift", "README.md", ".ci/run"] {
            let text = try String(contentsOf: tree.root.appendingPathComponent(name), encoding: .utf8)
            let found = Self.foreign.first { text.contains($0) }
            #expect(found == nil, "\(name) names \(found ?? "")")
        }
    }

    /// The README's first places to read, and what the documentation's pages lead to.
    @Test func theDocumentsLeadToWhatExists() throws {
        let readme = try String(contentsOf: tree.root.appendingPathComponent("README.md"), encoding: .utf8)
        let paths = readme.matches(of: /`(Sources\/[^`]+)`/).map { String($0.output.1) }
        #expect(paths.count >= 4)
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: tree.root.appendingPathComponent(path).path), "no \(path)")
        }
        let pages = "Sources/hoot/hoot.docc/"
        for name in try tree.files(in: "Sources/hoot/hoot.docc") {
            let text = try String(contentsOf: tree.root.appendingPathComponent(name), encoding: .utf8)
            for match in text.matches(of: /<doc:([A-Za-z]+)>/) {
                let page = tree.root.appendingPathComponent(pages + match.output.1 + ".md")
                #expect(FileManager.default.fileExists(atPath: page.path), "\(name) leads to no \(match.output.1)")
            }
        }
    }
}
