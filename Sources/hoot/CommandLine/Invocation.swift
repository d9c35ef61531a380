import CLinux
import Glibc

/// The words of one command line, taken apart by getopt_long(3).
struct Invocation {
    /// Arguments by the option's long name; an empty text for options without one.
    private(set) var options: [String: String] = [:]
    private(set) var operands: [String] = []

    /// - Parameter stopsAtOperand: whether the first operand ends the options, as in front of a command's name.
    init(words: [String], options table: [Option], stopsAtOperand: Bool = false) throws(UsageError) {
        var vector: [UnsafeMutablePointer<CChar>?] = (["hoot"] + words).map { strdup($0) } + [nil]
        let names = table.map { strdup($0.long) }
        defer {
            for word in vector { free(word) }
            for name in names { free(name) }
        }
        let longs =
            zip(table.indices, names).map { index, name in
                CLinux.option(
                    name: name, has_arg: table[index].argument == nil ? 0 : 1, flag: nil, val: Int32(256 + index))
            } + [CLinux.option()]
        let shorts = (stopsAtOperand ? "+:" : ":") + Self.shortOptions(table)
        var next: Int32 = 1
        var restart: Int32 = 1
        while true {
            let before = Int(max(next, 1))
            var argument: UnsafePointer<CChar>?
            let code = clinux_getopt(restart, Int32(vector.count - 1), &vector, shorts, longs, &argument, &next)
            restart = 0
            guard code != -1 else { break }
            guard let found = Self.find(code, in: table) else {
                throw UsageError(Self.complaint(code, word: Self.firstOption(in: vector.dropFirst(before)), table))
            }
            options[found.long] = argument.map { String(cString: $0) } ?? ""
        }
        // getopt_long has moved the operands to the end.
        operands = vector[Int(next)..<vector.count - 1].compactMap { $0.map { String(cString: $0) } }
    }

    func has(_ option: String) -> Bool {
        options[option] != nil
    }

    private static func shortOptions(_ table: [Option]) -> String {
        table.compactMap { option in option.short.map { String($0) + (option.argument == nil ? "" : ":") } }.joined()
    }

    private static func find(_ code: Int32, in table: [Option]) -> Option? {
        if code >= 256 { return table[Int(code) - 256] }
        return table.first { $0.short?.asciiValue.map(Int32.init) == code }
    }

    /// getopt_long passes over operands, of which “-” is one, before it complains.
    private static func firstOption(in words: ArraySlice<UnsafeMutablePointer<CChar>?>) -> String {
        words.lazy.compactMap { $0.map { String(cString: $0) } }.first { $0.hasPrefix("-") && $0 != "-" } ?? ""
    }

    private static func complaint(_ code: Int32, word: String, _ table: [Option]) -> String {
        if code == Int32(UInt8(ascii: ":")) { return "option \(word) needs an argument" }
        let name = word.prefix { $0 != "=" }
        let isKnown = name != word && table.contains { "--\($0.long)" == name }
        return isKnown ? "option \(name) takes no argument" : "no option \(word)"
    }
}

/// A command line that cannot be understood: exit status 2.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
