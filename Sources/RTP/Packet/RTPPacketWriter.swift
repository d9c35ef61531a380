package import Primitives

/// Writes one RTP packet front to back into a caller's buffer, without allocating: the header at `init`, then extension
/// elements, then the payload, then `finish`. The buffer must outlive the writer.
///
/// A packet that does not fit, and an element that its form cannot carry, make `finish` return `nil`.
package struct RTPPacketWriter {
    private let buffer: UnsafeMutableRawBufferPointer
    private var count = 0
    private var failed = false
    private let form: HeaderExtensionForm
    /// Where the extension's length field is, once there is an extension.
    private var extensionLengthOffset: Int?
    private var extensionIsOpen = true

    package init(
        into buffer: UnsafeMutableRawBufferPointer, header: RTPHeader, contributors: [SSRC] = [],
        form: HeaderExtensionForm = .oneByte
    ) {
        self.buffer = buffer
        self.form = form
        failed = contributors.count > RTPHeader.maximumContributorCount
        append(0x80 | UInt8(truncatingIfNeeded: contributors.count & 15))
        append(header.payloadType.rawValue & 0x7F | (header.marker ? 0x80 : 0))
        append(header.sequenceNumber.rawValue)
        append(header.timestamp)
        append(header.ssrc.rawValue)
        for source in contributors {
            append(source.rawValue)
        }
    }

    /// Adds an extension element of one byte.
    package mutating func append(extension id: UInt8, _ value: UInt8) {
        beginElement(id, byteCount: 1)
        append(value)
    }

    /// Adds an extension element (RFC 8285): in the one-byte form ids 1…14 and 1…16 bytes, in the two-byte form ids
    /// 1…255 and 0…255 bytes.
    package mutating func append(extension id: UInt8, _ value: some Collection<UInt8>) {
        beginElement(id, byteCount: value.count)
        for byte in value {
            append(byte)
        }
    }

    /// Closes the extension and tells where the payload starts; `nil`: the packet cannot be written.
    package mutating func endHeader() -> Int? {
        if extensionIsOpen, let lengthOffset = extensionLengthOffset {
            while (count - lengthOffset - 2) % 4 != 0, !failed {
                append(UInt8(0))
            }
            patch(UInt16(truncatingIfNeeded: (count - lengthOffset - 2) / 4), at: lengthOffset)
        }
        extensionIsOpen = false
        return failed ? nil : count
    }

    /// Copies `payload` behind the header.
    package mutating func append(payload: UnsafeRawBufferPointer) {
        _ = endHeader()
        guard !failed, payload.count <= buffer.count - count else {
            failed = true
            return
        }
        buffer[count..<count + payload.count].copyBytes(from: payload)
        count += payload.count
    }

    /// Adds `padding` bytes (0…255, the count byte included) and returns the packet's length; `nil`: it did not fit.
    package mutating func finish(padding: UInt8 = 0) -> Int? {
        _ = endHeader()
        guard padding > 0 else { return failed ? nil : count }
        for _ in 1..<padding {
            append(UInt8(0))
        }
        append(padding)
        if !failed {
            buffer[0] |= 0x20
        }
        return failed ? nil : count
    }

    private mutating func beginElement(_ id: UInt8, byteCount: Int) {
        guard extensionIsOpen, form.carries(id: id, byteCount: byteCount) else {
            failed = true
            return
        }
        if extensionLengthOffset == nil {
            append(form.profile)
            extensionLengthOffset = count
            append(UInt16(0))
            if !failed {
                buffer[0] |= 0x10
            }
        }
        switch form {
        case .oneByte:
            append(id << 4 | UInt8(truncatingIfNeeded: byteCount - 1))
        case .twoByte:
            append(id)
            append(UInt8(truncatingIfNeeded: byteCount))
        }
    }

    private mutating func append(_ value: some FixedWidthInteger & UnsignedInteger) {
        let size = value.bitWidth / 8
        guard !failed, size <= buffer.count - count else {
            failed = true
            return
        }
        buffer.storeBytes(of: value.bigEndian, toByteOffset: count, as: type(of: value))
        count += size
    }

    private mutating func patch(_ value: UInt16, at offset: Int) {
        guard !failed else { return }
        buffer.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt16.self)
    }
}
