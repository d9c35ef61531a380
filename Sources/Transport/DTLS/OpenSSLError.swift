import COpenSSL

extension TransportError {
    /// Takes the reason from OpenSSL's queue, which it empties. `function` is the C function that failed.
    static func openSSL(_ code: Code, _ function: String) -> TransportError {
        let number = ERR_get_error()
        ERR_clear_error()
        guard number != 0 else { return TransportError(code, function + ": no reason given") }
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(number, &text, text.count)
        let reason = ERR_reason_error_string(number).map { String(cString: $0) }
        let whole = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return TransportError(code, "\(function): \(reason ?? whole)")
    }
}
