/// Bytes as lower-case hexadecimal.
func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = [UInt8]("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// Reads hexadecimal in either case; `nil` where it is none or a digit is missing.
func bytes(hexadecimal text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for byte in text.utf8 {
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) else { return nil }
        if let first = high {
            bytes.append(first << 4 | digit)
            high = nil
        } else {
            high = digit
        }
    }
    return high == nil ? bytes : nil
}
