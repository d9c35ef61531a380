import Primitives

/// A message of the data channel establishment protocol (RFC 8832, section 5).
enum DataChannelControl: Hashable, Sendable {
    case open(DataChannelOptions)
    case acknowledgement

    /// Bytes of label and of protocol that are taken and given, each.
    static let nameLimit = 1024

    private static let acknowledgementType: UInt8 = 0x02
    private static let openType: UInt8 = 0x03
    /// Bit 7 of a channel type: messages may overtake each other.
    private static let unorderedBit: UInt8 = 0x80

    /// `nil` for anything malformed: truncated, of an unknown type, with a name that is too long or no UTF-8. Bytes
    /// behind the message are passed over.
    init?(parsing bytes: RawSpan) {
        var offset = 0
        switch try? bytes.readUInt8(at: &offset) {
        case Self.acknowledgementType: self = .acknowledgement
        case Self.openType:
            guard let options = try? Self.readOptions(bytes, at: &offset) else { return nil }
            self = .open(options)
        default: return nil
        }
    }

    private static func readOptions(_ bytes: RawSpan, at offset: inout Int) throws(ByteError) -> DataChannelOptions? {
        let channelType = try bytes.readUInt8(at: &offset)
        let priority = try bytes.readUInt16(at: &offset)
        let parameter = try bytes.readUInt32(at: &offset)
        let labelCount = Int(try bytes.readUInt16(at: &offset))
        let subprotocolCount = Int(try bytes.readUInt16(at: &offset))
        let label = String(validating: try bytes.readBytes(labelCount, at: &offset), as: UTF8.self)
        let subprotocol = String(validating: try bytes.readBytes(subprotocolCount, at: &offset), as: UTF8.self)
        guard let label, let subprotocol, max(labelCount, subprotocolCount) <= nameLimit,
            let reliability = DataChannelOptions.Reliability(channelType & ~unorderedBit, parameter)
        else { return nil }
        var options = DataChannelOptions(label: label)
        options.subprotocol = subprotocol
        options.isOrdered = channelType & unorderedBit == 0
        options.reliability = reliability
        options.priority = priority
        return options
    }

    var bytes: [UInt8] {
        guard case .open(let options) = self else { return [Self.acknowledgementType] }
        var writer = ByteWriter()
        let (type, parameter) = options.reliability.fields
        writer.write(Self.openType)
        writer.write(options.isOrdered ? type : type | Self.unorderedBit)
        writer.write(options.priority)
        writer.write(parameter)
        writer.write(UInt16(clamping: options.label.utf8.count))
        writer.write(UInt16(clamping: options.subprotocol.utf8.count))
        writer.write(options.label.utf8)
        writer.write(options.subprotocol.utf8)
        return writer.bytes
    }
}

extension DataChannelOptions.Reliability {
    fileprivate init?(_ type: UInt8, _ parameter: UInt32) {
        switch type {
        case 0: self = .reliable
        case 1: self = .retransmissions(parameter)
        case 2: self = .lifetime(milliseconds: parameter)
        default: return nil
        }
    }

    fileprivate var fields: (type: UInt8, parameter: UInt32) {
        switch self {
        case .reliable: (0, 0)
        case .retransmissions(let count): (1, count)
        case .lifetime(let milliseconds): (2, milliseconds)
        }
    }
}
