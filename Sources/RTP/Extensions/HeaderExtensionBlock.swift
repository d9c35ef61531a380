import Primitives

/// Where the elements of one header extension lie in their datagram (RFC 8285).
package struct HeaderExtensionBlock: Hashable, Sendable {
    package var form: HeaderExtensionForm
    /// The elements, without the extension's own header.
    package var range: Range<Int>

    /// Reads the extension's header and moves past the extension; `nil` for a profile that is not RFC 8285's.
    init?(_ datagram: RawSpan, at offset: inout Int) throws(ByteError) {
        let profile = try datagram.readUInt16(at: &offset)
        let words = Int(try datagram.readUInt16(at: &offset))
        range = try datagram.take(words * 4, at: &offset)
        guard let form = HeaderExtensionForm(profile: profile) else { return nil }
        self.form = form
    }

    /// The place of the first element with `id`; `nil` when there is none before the first malformed one.
    package func range(of id: UInt8, in datagram: RawSpan) -> Range<Int>? {
        var offset = range.lowerBound
        while let element = next(at: &offset, in: datagram) {
            if element.id == id { return element.range }
        }
        return nil
    }

    /// All elements in order, copied, up to the first malformed one.
    package func elements(in datagram: RawSpan) -> [HeaderExtensionElement] {
        var offset = range.lowerBound
        var elements: [HeaderExtensionElement] = []
        while let element = next(at: &offset, in: datagram) {
            elements.append(.init(id: element.id, value: datagram.extracting(element.range).bytes))
        }
        return elements
    }

    /// The element at or after `offset`, past padding. A malformed element ends the walk (RFC 8285, section 4.2).
    private func next(at offset: inout Int, in datagram: RawSpan) -> (id: UInt8, range: Range<Int>)? {
        let end = min(range.upperBound, datagram.byteCount)
        while offset < end, let first = try? datagram.readUInt8(at: &offset) {
            if first == 0 { continue }
            guard let (id, count) = element(startingWith: first, at: &offset, in: datagram),
                count <= end - offset, let place = try? datagram.take(count, at: &offset)
            else { return nil }
            return (id, place)
        }
        return nil
    }

    private func element(
        startingWith first: UInt8, at offset: inout Int, in datagram: RawSpan
    ) -> (id: UInt8, count: Int)? {
        switch form {
        case .oneByte:
            let id = first >> 4
            return id == 0 || id == 15 ? nil : (id, Int(first & 15) + 1)
        case .twoByte:
            guard offset < range.upperBound, let count = try? datagram.readUInt8(at: &offset) else { return nil }
            return (first, Int(count))
        }
    }
}
