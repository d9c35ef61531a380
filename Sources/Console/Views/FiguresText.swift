import ControlProtocol
import Terminal

/// The figures of one person's two streams as lines of at most `width` columns, the most telling first.
struct FiguresText {
    let look: Look
    let width: Int

    /// A column for each of the 60 seconds where there is room.
    private var sparkWidth: Int { width >= 100 ? 60 : 15 }
    private var hasSparkline: Bool { width >= 37 }
    private var hasLate: Bool { width >= 56 }
    private var hasBitrate: Bool { width >= 66 }

    /// The lines that everything takes where figures are of usual length.
    static func height(width: Int, pictureStreams count: Int) -> Int {
        let audio = width >= 90 ? 7 : width >= 56 ? 9 : 10
        return audio + count * (width >= 110 ? 1 : width >= 56 ? 2 : 3)
    }

    func lines(of person: Participant, _ model: ConsoleModel) -> [(String, Scope)] {
        let figures = model.statistics.people[person.id]
        let (received, sent) = (figures?.received, figures?.sent)
        var lines: [(String, Scope)] = [
            (heading, .textFaint),
            (stream("AR", received), Loss.scope(received?.lossPercent)),
            (stream("AS", sent), Loss.scope(sent?.lossPercent)),
        ]
        // The most telling line of each picture's first, the rest of them last.
        let pictures = [VideoText("VR", figures?.video), VideoText("VS", figures?.videoSent)].compactMap { $0 }
            .map { ($0.name, wrapped($0.parts(look, isWide: hasLate), under: $0.name)) }
        lines += pictures.map { ($0.1[0], .text) }
        if let reason = person.unsentReason {
            lines += wrapped(["VS not sent: \(person.name) \(reason)"]).map { ($0, .lossSome) }
        }
        lines += wrapped(details(figures)).map { ($0, .text) }
        lines += pictures.flatMap { $0.1.dropFirst() }.map { ($0, .text) }
        if let code = person.authenticationString {
            let rest = person.isVerified ? "verified" : "compare it aloud, then \(model.keys.key(of: "verify"))"
            lines += wrapped(["code \(code)", rest]).map { ($0, .text) }
        }
        return lines + wrapped(box(model.latestStatistics?.box, model.state)).map { ($0, .textFaint) }
    }

    private var heading: String {
        "       lost    now" + (hasSparkline ? "   " + pad("60 s", sparkWidth) : "")
            + (hasLate ? "    late  concealed" : "") + (hasBitrate ? "   kb/s" : "")
    }

    private func stream(_ name: String, _ figures: StreamFigures?) -> String {
        var line = name + right(figures?.lostCount.map(String.init) ?? unknown, 9)
        line += right(Loss.text(figures?.lossPercent, look), 7)
        if hasSparkline {
            let spark = figures?.lossHistory.map { Loss.sparkline($0, width: sparkWidth, look) } ?? ""
            line += "   " + pad(spark, sparkWidth)
        }
        if hasLate {
            line +=
                right(Loss.text(figures?.latePercent, look), 8) + right(Loss.text(figures?.concealedPercent, look), 11)
        }
        if hasBitrate { line += right(whole(figures?.bitrateKbps), 7) }
        return line
    }

    /// What the table above has no room for, then the rest.
    private func details(_ figures: ParticipantFigures?) -> [String] {
        let received = figures?.received
        var parts = ["buffer \(whole(received?.bufferMs))/\(whole(received?.bufferTargetMs)) ms"]
        parts.append("jitter \(whole(received?.jitterMs)) ms")
        parts.append("RTT \(whole(figures?.roundTripMs)) ms")
        parts.append("path \(quality(figures?.quality))")
        if let worst = worst(received?.lossHistory) { parts.append(worst) }
        if !hasLate {
            parts.append("late \(Loss.text(received?.latePercent, look))")
            parts.append("concealed \(Loss.text(received?.concealedPercent, look))")
        }
        parts.append("burst \(received?.burstLength.map(Loss.tenths) ?? unknown)")
        parts.append("reordered \(received?.reorderedCount.map(String.init) ?? unknown)")
        parts.append("repaired \(repaired(received) ?? unknown)")
        if !hasBitrate {
            parts.append("\(whole(received?.bitrateKbps))/\(whole(figures?.sent?.bitrateKbps)) kb/s")
        }
        parts.append("MOS \(figures?.mos.map(Loss.tenths) ?? unknown) est.")
        // Where there is little room, the usual codec goes without saying.
        let codec = codec(received?.codec, figures?.sent?.codec)
        if let codec, hasLate || codec != "opus" { parts.append(codec) }
        return parts
    }

    /// What of the lost ones was restored, and by what.
    private func repaired(_ received: StreamFigures?) -> String? {
        guard let all = received?.repairedPercent else { return nil }
        // An older core does not tell which.
        guard let copies = received?.repairedByCopiesPercent else { return whole(all) + "%" }
        let kinds = [("FEC", all - copies), ("RED", copies)].filter { $0.1 >= 0.5 }
        return kinds.isEmpty ? "0%" : kinds.map { "\($0) \(whole($1))%" }.joined(separator: " ")
    }

    /// What the sound is coded by: theirs, and ours where it is another.
    private func codec(_ received: String?, _ sent: String?) -> String? {
        guard let received, let sent, received != sent else { return received ?? sent }
        return "\(received)/\(sent)"
    }

    /// The grades of a path, in words.
    private static let grades = ["excellent", "good", "poor", "bad", "very bad", "down"]

    private func quality(_ grade: Int?) -> String {
        guard let grade, Self.grades.indices.contains(grade - 1) else { return unknown }
        return "\(grade) \(Self.grades[grade - 1])"
    }

    /// The worst second of the last 60, unless none was bad.
    private func worst(_ history: [Double]?) -> String? {
        guard let history, let loss = history.max(), loss > 0, let place = history.lastIndex(of: loss) else {
            return nil
        }
        return "worst \(Int(loss.rounded()))% \(history.count - 1 - place) s ago"
    }

    private func box(_ box: BoxFigures?, _ state: CoreState) -> [String] {
        guard let box else { return ["this box: \(unknown)"] }
        let (input, output) = (state.audio.input?.latencyMs, state.audio.output?.latencyMs)
        let latency = input == nil && output == nil ? [] : ["mic/speaker \(whole(input))/\(whole(output)) ms"]
        let captures = state.video.droppedCaptures > 0 ? ["camera drops \(state.video.droppedCaptures)"] : []
        let cpu = box.cpuPercent.map { ["cpu \(Loss.tenths($0))%"] } ?? []
        return [
            "this box: underruns \(box.underruns)", "late ticks \(box.lateTicks)", "socket drops \(box.socketDrops)",
            "ring drops \(box.ringDrops.map(String.init) ?? unknown)",
        ] + captures + latency + cpu
    }

    /// The parts in as many lines as they need, two spaces between them; each line begins with `name`.
    private func wrapped(_ parts: [String], under name: String = "") -> [String] {
        let start = name.isEmpty ? "" : name + " "
        var lines: [String] = []
        for part in parts {
            if let last = lines.last, last.count + 2 + part.count <= width {
                lines[lines.count - 1] = last + "  " + part
            } else {
                lines.append(start + part)
            }
        }
        return lines
    }

    private var unknown: String { look.glyphs.unknown }

    private func whole(_ value: Double?) -> String {
        value.map { "\(Int($0.rounded()))" } ?? unknown
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
