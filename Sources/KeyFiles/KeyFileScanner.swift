/// Reads a key file line by line before GLib does, because `GKeyFile` gives up on the whole file at its first bad line
/// and passes duplicates silently.
///
/// What GLib would refuse becomes a comment, so that saving keeps the user's words.
struct KeyFileScanner {
    /// The text for GLib: every line is a comment, blank, a group or a pair.
    private(set) var text = ""
    private(set) var warnings: [KeyFileWarning] = []
    /// The line on which a key was last given, from 1; keyed by group and key.
    private(set) var lines: [KeyFileAddress: Int] = [:]

    private let file: String
    private var group: String?
    /// The group of what stands before the first group line, until one has come.
    private var unnamedGroup: String?
    private var groups: Set<String> = []

    /// Files beyond this size are not configuration.
    static let byteLimit = 1 << 20

    init(_ bytes: [UInt8], file: String, unnamedGroup: String? = nil) {
        self.file = file
        self.unnamedGroup = unnamedGroup
        guard bytes.count <= Self.byteLimit else {
            warn(nil, "has \(bytes.count) bytes; more than \(Self.byteLimit) are not read")
            return
        }
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            scan(line, number: index + 1)
        }
        if text.last == "\n" { text.removeLast() }
    }

    private mutating func scan(_ bytes: ArraySlice<UInt8>, number: Int) {
        let trimmed = bytes.last == 0x0D ? bytes.dropLast() : bytes
        guard let line = String(validating: trimmed, as: UTF8.self), !line.unicodeScalars.contains("\0") else {
            warn(number, "is not UTF-8 text; passed over")
            return keepAsComment(String(decoding: trimmed, as: UTF8.self).filter { $0 != "\0" })
        }
        let content = line.drop { $0 == " " || $0 == "\t" }
        if content.isEmpty || content.first == "#" {
            append(line)
        } else if content.first == "[" {
            openGroup(content, line: line, number: number)
        } else {
            takePair(content, line: line, number: number)
        }
    }

    private mutating func openGroup(_ content: Substring, line: String, number: Int) {
        unnamedGroup = nil
        let closed = content.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
        let name = String(closed.dropFirst().dropLast())
        guard closed.last == "]", closed.count > 2, KeyFileAddress.isGroupName(name) else {
            group = nil
            warn(number, "is not a [group]; its keys are passed over")
            return keepAsComment(line)
        }
        if !groups.insert(name).inserted {
            warn(number, "group [\(name)] is given twice; the two are taken as one")
        }
        begin(name)
    }

    private mutating func begin(_ name: String) {
        (group, unnamedGroup) = (name, nil)
        groups.insert(name)
        append("[\(name)]")
    }

    private mutating func takePair(_ content: Substring, line: String, number: Int) {
        guard let equals = content.firstIndex(of: "=") else {
            warn(number, "is no \"key = value\"; passed over")
            return keepAsComment(line)
        }
        let key = String(content[..<equals].reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        guard KeyFileAddress.isKeyName(key) else {
            warn(number, "\"\(key)\" cannot be a key; passed over")
            return keepAsComment(line)
        }
        if let unnamedGroup { begin(unnamedGroup) }
        guard let group else {
            warn(number, "\"\(key)\" is in no [group]; passed over")
            return keepAsComment(line)
        }
        let address = KeyFileAddress(group: group, key: key)
        if let earlier = lines.updateValue(number, forKey: address) {
            warn(number, "\"\(key)\" is given twice; this one holds and line \(earlier) does not")
        }
        append(line)
    }

    private mutating func append(_ line: String) {
        text += line + "\n"
    }

    private mutating func keepAsComment(_ line: String) {
        append("#" + line)
    }

    private mutating func warn(_ line: Int?, _ message: String) {
        // A file that is no key file at all would warn on each line.
        guard warnings.count < 50 else { return }
        warnings.append(KeyFileWarning(file: file, line: line, message: message))
    }
}
