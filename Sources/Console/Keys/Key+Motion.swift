import Terminal

extension Key {
    /// How far the key moves in a list or a text of which `page` rows are seen at once; `nil`: it moves nothing.
    func motion(page: Int) -> Int? {
        let page = max(1, page)
        return switch self {
        case Key(.up), Key("k"), Key("p", .control): -1
        case Key(.down), Key("j"), Key("n", .control): 1
        case Key(.pageUp), Key("b", .control): -page
        case Key(.pageDown), Key("f", .control): page
        case Key("u", .control): -max(1, page / 2)
        case Key("d", .control): max(1, page / 2)
        case Key(.home), Key("g"): -Self.endless
        case Key(.end), Key("G"): Self.endless
        default: nil
        }
    }

    /// Further than any list is long.
    private static let endless = 1_000_000
}
