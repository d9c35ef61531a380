import ControlProtocol

/// The figures of one stream of pictures, the most telling first.
struct VideoText {
    /// `VS` or `VR`.
    let name: String
    private let figures: VideoFigures

    /// `nil`: there is no such stream.
    init?(_ name: String, _ figures: VideoFigures?) {
        guard let figures else { return nil }
        (self.name, self.figures) = (name, figures)
    }

    private var isSent: Bool { name == "VS" }

    /// The end of the quantiser's scale, of which each codec has its own, from 0 (Q69).
    private var coarsest: Int? {
        switch figures.codec {
        case "vp8": 127
        case "vp9": 255
        default: nil
        }
    }

    /// `isWide`: whether there is room for more than the values.
    func parts(_ look: Look, isWide: Bool) -> [String] {
        func whole(_ value: Double?) -> String { value.map { "\(Int($0.rounded()))" } ?? look.glyphs.unknown }
        func count(_ value: Int?) -> String { value.map(String.init) ?? look.glyphs.unknown }
        let size = figures.width.flatMap { width in figures.height.map { "\(width)×\($0)" } }
        let frozen = figures.freezeSeconds.map { $0 > 0 ? " (\(Loss.tenths($0)) s)" : "" } ?? ""
        return [
            size ?? look.glyphs.unknown,
            "\(whole(figures.framesPerSecondIn))→\(whole(figures.framesPerSecond)) fps",
            whole(figures.bitrateKbps) + (isSent ? "/" + whole(figures.targetKbps) : "") + " kb/s",
            "QP \(whole(figures.averageQP))" + (isWide ? coarsest.map { "/\($0)" } ?? "" : ""),
            "\(isSent ? "encode" : "decode") \(figures.codecMs.map(Loss.tenths) ?? look.glyphs.unknown) ms",
        ] + (isSent ? [] : ["freezes \(count(figures.freezeCount))\(frozen)"]) + [
            "key \(count(figures.keyFrames))", "NACK \(count(figures.nackCount))",
            "RTX \(count(figures.retransmittedCount))", "PLI \(count(figures.pliCount))",
            "lost \(count(figures.lostCount))",
        ] + (figures.codec.map { [$0] } ?? [])
    }
}
