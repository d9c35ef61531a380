/// The two ways in which RFC 8285 packs elements into a header extension.
package enum HeaderExtensionForm: Hashable, Sendable {
    /// Ids 1…14, 1…16 bytes (section 4.2).
    case oneByte
    /// Ids 1…255, 0…255 bytes (section 4.3).
    case twoByte

    /// The form that the "defined by profile" field names.
    init?(profile: UInt16) {
        switch profile {
        case 0xBEDE:
            self = .oneByte
        case 0x1000...0x100F:
            self = .twoByte
        default:
            return nil
        }
    }

    var profile: UInt16 {
        switch self {
        case .oneByte: 0xBEDE
        case .twoByte: 0x1000
        }
    }

    func carries(id: UInt8, byteCount: Int) -> Bool {
        switch self {
        case .oneByte: (1...14).contains(id) && (1...16).contains(byteCount)
        case .twoByte: id >= 1 && (0...255).contains(byteCount)
        }
    }
}
