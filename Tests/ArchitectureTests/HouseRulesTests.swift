import Testing

/// Sizes, sleeps and escapes from the compiler's checks.
@Suite struct HouseRulesTests {
    private let tree = SourceTree()

    @Test func noFileIsLongerThanSixHundredLines() throws {
        for file in try tree.swiftFiles(in: "Sources") + tree.swiftFiles(in: "Tests") {
            #expect(file.lines.count <= 600, "\(file.path) has \(file.lines.count) lines: split it")
        }
    }

    @Test func noFunctionIsLongerThanSixtyLines() throws {
        for file in try tree.swiftFiles(in: "Sources") {
            for function in functions(of: file) {
                #expect(function.count <= 60, "\(file.path):\(function.start) has \(function.count) lines: split it")
            }
        }
    }

    /// The report of sizes; most functions being short is what keeps the long ones rare.
    @Test func theMedianFunctionIsShort() throws {
        let files = try tree.swiftFiles(in: "Sources").sorted { $0.lines.count > $1.lines.count }
        let counts = files.flatMap(functions).map(\.count).sorted()
        let longest = files.prefix(5).map { "\($0.lines.count) \($0.path)" }.joined(separator: ", ")
        let median = counts[counts.count / 2]
        print("\(files.count) files, longest: \(longest)")
        print("\(counts.count) functions of several lines, median \(median), longest \(counts.last ?? 0)")
        #expect(median <= 10)
    }

    @Test func noTestSleeps() throws {
        let sleeps = ["usleep(", "Task.sleep", "Thread.sleep", " sleep(", "nanosleep("]
        for file in try tree.swiftFiles(in: "Tests") where file.module != "ArchitectureTests" {
            for (index, line) in file.lines.enumerated() {
                #expect(!sleeps.contains { line.contains($0) }, "\(file.path):\(index + 1) sleeps")
            }
        }
    }

    @Test func everyEscapeFromIsolationSaysWhatGuardsIt() throws {
        for file in try tree.swiftFiles(in: "Sources") {
            for (index, line) in file.lines.enumerated() {
                guard line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") else { continue }
                let near = file.lines[max(0, index - 2)...min(index + 2, file.lines.count - 1)]
                #expect(near.contains { $0.contains("// unchecked:") }, "\(file.path):\(index + 1) has no reason")
            }
        }
    }

    @Test func nothingTrapsOnPurposeOutsideMain() throws {
        for file in try tree.swiftFiles(in: "Sources") where !file.path.hasSuffix("/Main.swift") {
            for (index, line) in file.lines.enumerated() {
                let traps = line.contains("try!") || line.contains("fatalError(")
                #expect(!traps, "\(file.path):\(index + 1) traps")
            }
        }
    }

    private struct Function {
        let start: Int
        let count: Int
    }

    /// Functions by their indentation: from the line with `func` or `init` to the closing brace below it.
    private func functions(of file: SourceTree.File) -> [Function] {
        var found: [Function] = []
        for (index, line) in file.lines.enumerated() where isFunction(line) && !isWhole(line) {
            let indentation = line.prefix { $0 == " " }
            let end = file.lines[index...].firstIndex { $0 == indentation + "}" } ?? index
            found.append(Function(start: index + 1, count: end - index + 1))
        }
        return found
    }

    /// Whether the body stands on the line itself.
    private func isWhole(_ line: Substring) -> Bool {
        line.contains("{") && line.count { $0 == "{" } == line.count { $0 == "}" }
    }

    private func isFunction(_ line: Substring) -> Bool {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//") else { return false }
        return code.contains("func ") || code.hasPrefix("init") || code.contains(" init(")
    }
}
