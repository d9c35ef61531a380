extension SessionDescription {
    package init(parsing text: String, limits: SDPLimits = SDPLimits()) throws(SDPError) {
        let byteCount = text.utf8.count
        guard byteCount <= limits.byteCount else { throw .tooLarge(byteCount: byteCount, limit: limits.byteCount) }
        var parser = Parser(limits: limits)
        var rest = Substring(text)
        while !rest.isEmpty {
            let (line, next) = rest.cut(at: "\n")
            try parser.read(line)
            rest = next ?? ""
        }
        self = try parser.finish()
    }

    private struct Parser {
        let limits: SDPLimits
        private var lineNumber = 0
        private var candidateCount = 0
        private var hasVersion = false
        private var origin: SDPOrigin?
        private var session = SessionDescription(origin: SDPOrigin(sessionID: "0", version: 0))
        private var hasTime = false

        init(limits: SDPLimits) {
            self.limits = limits
            session.lines = []
        }

        mutating func read(_ rawLine: Substring) throws(SDPError) {
            lineNumber += 1
            guard lineNumber <= limits.lineCount else { throw .tooManyLines(limit: limits.lineCount) }
            let isEndedByReturn = rawLine.utf8.last == UInt8(ascii: "\r")
            let line = isEndedByReturn ? Substring(rawLine.utf8.dropLast()) : rawLine
            guard !line.trimmed.isEmpty else { return }
            guard line.utf8.count <= limits.lineByteCount else {
                throw .lineTooLong(line: lineNumber, limit: limits.lineByteCount)
            }
            guard !line.utf8.breaksLine else { throw .controlCharacter(line: lineNumber) }
            let (type, value) = line.cut(at: "=")
            guard let value, type.utf8.count == 1, let letter = type.utf8.first, (0x21...0x7E).contains(letter)
            else { throw .malformedLine(lineNumber) }
            try read(letter, value)
        }

        private mutating func read(_ type: UInt8, _ value: Substring) throws(SDPError) {
            guard hasVersion else {
                guard type == UInt8(ascii: "v"), value.trimmed == "0" else { throw .missingVersion }
                hasVersion = true
                return
            }
            switch type {
            case UInt8(ascii: "m"): try beginSection(value)
            case UInt8(ascii: "a"): try readAttribute(value)
            case UInt8(ascii: "o") where session.sections.isEmpty: try readOrigin(value)
            case UInt8(ascii: "s") where session.sections.isEmpty: session.name = String(value)
            default: append(SDPLine(type: type, value: String(value)))
            }
        }

        private mutating func readOrigin(_ value: Substring) throws(SDPError) {
            guard origin == nil, let read = SDPOrigin(value) else { throw .malformedOrigin(line: lineNumber) }
            origin = read
        }

        private mutating func beginSection(_ value: Substring) throws(SDPError) {
            guard session.sections.count < limits.sectionCount else {
                throw .tooManySections(limit: limits.sectionCount)
            }
            guard let section = MediaSection(value) else { throw .malformedMedia(line: lineNumber) }
            session.sections.append(section)
        }

        private mutating func readAttribute(_ value: Substring) throws(SDPError) {
            let attribute = SDPAttribute(line: value)
            if attribute.name == "candidate" {
                candidateCount += 1
                guard candidateCount <= limits.candidateCount else {
                    throw .tooManyCandidates(limit: limits.candidateCount)
                }
            }
            let last = session.sections.count - 1
            guard last < 0 else { return session.sections[last].attributes.append(attribute) }
            session.attributes.append(attribute)
        }

        private mutating func append(_ line: SDPLine) {
            let last = session.sections.count - 1
            guard last < 0 else { return session.sections[last].lines.append(line) }
            hasTime = hasTime || line.type == UInt8(ascii: "t")
            session.lines.append(line)
        }

        mutating func finish() throws(SDPError) -> SessionDescription {
            guard hasVersion else { throw .missingVersion }
            guard let origin else { throw .missingOrigin }
            session.origin = origin
            if !hasTime { session.lines.append(SDPLine(type: "t", value: "0 0")) }
            return session
        }
    }
}
