import ControlProtocol

/// What the core answers, in lines for people.
enum AnswerText {
    /// `nil`: the answer has nothing to read in it, or is of a kind that is shown as it is.
    static func lines(_ result: JSONValue) -> [String]? {
        if let text = result["text"]?.stringValue {
            return text.isEmpty ? ["nobody else is in the call"] : text.split(separator: "\n").map(String.init)
        }
        if case .array(let links)? = result["links"], result["invite"] != nil {
            let number = result["invite"]?.integerValue ?? 0
            return links.compactMap(\.stringValue) + ["invite \(number); revoke \(number) withdraws it"]
        }
        guard result["inputs"] != nil else { return nil }
        return devices("microphone", result["inputs"]) + devices("speaker", result["outputs"])
            + [result["note"]?.stringValue].compactMap { $0 }
    }

    private static func devices(_ kind: String, _ list: JSONValue?) -> [String] {
        guard case .array(let devices)? = list, !devices.isEmpty else { return ["no \(kind)"] }
        return devices.map { device in
            let use = device["isUsed"]?.boolValue == true ? ", in use" : ""
            return "\(kind) \(device["name"]?.stringValue ?? ""): \(device["description"]?.stringValue ?? "")\(use)"
        }
    }
}
