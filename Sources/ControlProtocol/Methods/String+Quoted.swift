internal import Primitives

extension String {
    /// The text in quotation marks for a message of one line: without controls, and cut when it is long.
    package var quoted: String {
        let whole = cleaned(mark: " ")
        let shown = whole.cleaned(limit: 160)
        return "“\(shown)\(shown == whole ? "" : "…")”"
    }
}
