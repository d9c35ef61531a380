import Devices
import MediaEngine
import Primitives
import TestSupport

/// Moving test patterns, read back from the cells in which a terminal shows them.
extension WatchedTerminal {
    /// The timecode that these cells show; `nil`: none can be read at the moment.
    func timecode(rows: Range<Int>, columns: Range<Int>) -> Timecode? {
        guard let samples = picture.samples(rows: rows, columns: columns) else { return nil }
        let size = VideoSize(width: samples.width, height: samples.height)
        var frame = VideoFrame.black(size, time: .now())
        for index in samples.luma.indices { frame.bytes[index] = samples.luma[index] }
        return Timecode(in: frame)
    }

    /// Whether so many different timecodes come, each later than the one before, of these sources alone, the last of them
    /// no older than two seconds. `rows`: where they stand.
    func moves(
        _ count: Int, of numbers: Set<Int>, columns: Range<Int>, rows: (TerminalPicture) -> Range<Int>?
    ) -> Bool {
        var codes: [Timecode] = []
        var frames = 0
        return watch(within: .seconds(40)) { picture in
            // The terminal is asked behind each frame.
            guard picture.questionCount != frames else { return false }
            frames = picture.questionCount
            guard let rows = rows(picture), let code = timecode(rows: rows, columns: columns),
                numbers.contains(code.number), code != codes.last
            else { return false }
            let steps = codes.last { $0.number == code.number }.map { code.milliseconds - $0.milliseconds }
            if let steps, steps & (Timecode.period - 1) > 60_000 { codes = [] }
            codes.append(code)
            return codes.count >= count && code.age(at: .now()) < .seconds(2)
        }
    }
}
