/// One option of a command, by GNU's conventions: `--long`, sometimes `-s`, with or without an argument.
struct Option {
    let long: String
    let short: Character?
    /// What the argument is called in the help; `nil`: the option takes none.
    let argument: String?
    let summary: String

    init(_ long: String, short: Character? = nil, argument: String? = nil, _ summary: String) {
        self.long = long
        self.short = short
        self.argument = argument
        self.summary = summary
    }

    /// The left column of the help.
    var synopsis: String {
        let letter = short.map { "-\($0), " } ?? "    "
        return letter + "--\(long)" + (argument.map { "=\($0)" } ?? "")
    }
}
