/// A session description (RFC 8866): a tolerant reader, a strict writer.
///
/// The reader takes bare line feeds, empty lines, lines in another order and lines that it does not know, and keeps
/// these; it refuses what is larger than its limits. The writer ends lines by CR LF and puts them in the order of the
/// RFC. Attributes stay as they came, in their order; the typed ones are read from them on demand, and one that is
/// malformed is as good as absent.
package struct SessionDescription: Equatable, Sendable, SDPAttributed {
    package var origin: SDPOrigin
    package var name = "-"
    /// All lines of the session but `v`, `o`, `s` and attributes.
    package var lines: [SDPLine] = [SDPLine(type: "t", value: "0 0")]
    package var attributes: [SDPAttribute] = []
    package var sections: [MediaSection] = []

    package init(origin: SDPOrigin) {
        self.origin = origin
    }
}

extension SessionDescription {
    private static let sessionOrder = [UInt8]("iuepcbtrzk".utf8)
    private static let sectionOrder = [UInt8]("icbk".utf8)

    /// The description as it goes on the wire.
    package var text: String {
        var writer = Writer()
        writer.write("v", "0")
        writer.write("o", origin.text)
        writer.write("s", name.isEmpty ? "-" : name)
        writer.write(lines, order: Self.sessionOrder)
        writer.write(attributes)
        for section in sections {
            writer.write("m", section.text)
            writer.write(section.lines, order: Self.sectionOrder)
            writer.write(section.attributes)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private struct Writer {
        var bytes: [UInt8] = []

        /// Writes one line, and no more than one whatever `value` holds.
        mutating func write(_ type: Unicode.Scalar, _ value: String) {
            write(type: UInt8(truncatingIfNeeded: type.value), value)
        }

        mutating func write(type: UInt8, _ value: String) {
            bytes += [type, UInt8(ascii: "=")]
            if Substring(value).utf8.breaksLine {
                bytes += value.utf8.filter { $0 != 0 && $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
            } else {
                bytes += value.utf8
            }
            bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        }

        /// Writes the lines by the RFC's order, those that it does not know last.
        mutating func write(_ lines: [SDPLine], order: [UInt8]) {
            for type in order {
                for line in lines where line.type == type { write(type: type, line.value) }
            }
            for line in lines where !order.contains(line.type) { write(type: line.type, line.value) }
        }

        mutating func write(_ attributes: [SDPAttribute]) {
            for attribute in attributes {
                write("a", attribute.value.map { "\(attribute.name):\($0)" } ?? attribute.name)
            }
        }
    }
}
