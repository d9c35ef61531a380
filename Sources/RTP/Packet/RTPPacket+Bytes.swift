package import Primitives

/// One element of a header extension with its value.
package struct HeaderExtensionElement: Hashable, Sendable {
    package var id: UInt8
    package var value: [UInt8]

    package init(id: UInt8, value: [UInt8]) {
        self.id = id
        self.value = value
    }
}

extension RTPPacket {
    /// A whole packet as an array; `nil` when a contributor or element is too many or too long for the format.
    ///
    /// For tests and rare packets: the send path uses `RTPPacketWriter`.
    package static func bytes(
        _ header: RTPHeader, contributors: [SSRC] = [], form: HeaderExtensionForm = .oneByte,
        extensions: [HeaderExtensionElement] = [], payload: [UInt8], padding: UInt8 = 0
    ) -> [UInt8]? {
        let extensionByteCount = extensions.reduce(4) { $0 + $1.value.count + 2 } + 3
        let capacity =
            RTPHeader.byteCount + contributors.count * 4 + extensionByteCount + payload.count + Int(padding)
        var length: Int?
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var writer = RTPPacketWriter(
                into: UnsafeMutableRawBufferPointer(buffer), header: header, contributors: contributors, form: form)
            for element in extensions {
                writer.append(extension: element.id, element.value)
            }
            payload.withUnsafeBytes { writer.append(payload: $0) }
            length = writer.finish(padding: padding)
            count = length ?? 0
        }
        return length == nil ? nil : bytes
    }
}
