extension Method {
    /// The parameters that the words of a command line give, each as `KEY=VALUE`; their values are not checked yet.
    package func parameters(in words: some Sequence<String>) throws(RPCError) -> [String: JSONValue] {
        var given: [String: JSONValue] = [:]
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw .invalidParams("\(name) takes KEY=VALUE, not \(word.quoted)")
            }
            let key = String(word[..<equals])
            let text = String(word[word.index(after: equals)...])
            let value = parameters.first { $0.name == key }?.parse(text) ?? .string(text)
            guard given.updateValue(value, forKey: key) == nil else {
                throw .invalidParams("\(name): \(key.quoted) is given twice")
            }
        }
        return given
    }
}
