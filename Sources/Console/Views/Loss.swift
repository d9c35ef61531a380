/// How loss is written and coloured.
enum Loss {
    /// `7.8%`, without its decimal where `width` has no room for it; what cannot be known is a dash, never 0.
    static func text(_ percent: Double?, _ look: Look, width: Int = .max) -> String {
        guard let percent else { return look.glyphs.unknown }
        let text = "\(tenths(percent))%"
        return text.count <= width ? text : "\(Int(percent.rounded()))%"
    }

    /// One decimal.
    static func tenths(_ value: Double) -> String {
        let scaled = Int((value * 10).rounded())
        return "\(scaled / 10).\(abs(scaled % 10))"
    }

    static func scope(_ percent: Double?) -> Scope {
        guard let percent else { return .lossNone }
        return percent >= 5 ? .lossBad : percent >= 1 ? .lossSome : .loss
    }

    /// 60 s of loss as `width` steps, the newest at the right; what was not expected is blank.
    static func sparkline(_ history: [Double], width: Int, _ look: Look) -> String {
        let seconds = history.suffix(60)
        guard width > 0, !seconds.isEmpty else { return "" }
        let spark = look.glyphs.spark
        return (0..<width).map { column in
            let start = seconds.startIndex + column * seconds.count / width
            let end = max(start + 1, seconds.startIndex + (column + 1) * seconds.count / width)
            let worst = seconds[start..<min(end, seconds.endIndex)].max() ?? -1
            guard worst >= 0 else { return " " }
            // 0, then steps up to 20 %.
            let step = worst == 0 ? 0 : min(spark.count - 1, 1 + Int(worst / 20 * Double(spark.count - 1)))
            return spark[step]
        }.joined()
    }
}
