import Terminal

/// Every key, from the table that binds them, and what the words and figures on the screen mean.
enum HelpPage {
    private static let indent = 15

    static func page(_ model: ConsoleModel, columns: Int) -> Page {
        let width = columns - 2
        func lines(_ name: String, _ meaning: String) -> [(text: String, scope: Scope)] {
            Page.entry(name, meaning, indent: indent, width: width).map { ($0, .text) }
        }
        var page = Page(title: "Keys and words", lines: [])
        for section in KeyBinding.Section.allCases {
            page.lines.append((section.rawValue, .panelTitle))
            for binding in model.keys.bindings where binding.section == section {
                page.lines += lines(binding.keysShown, binding.summary)
            }
        }
        page.lines.append(("Words and figures", .panelTitle))
        for (word, meaning) in legend { page.lines += lines(word, meaning) }
        return page
    }

    /// What is written short on the screen.
    static let legend: [(word: String, meaning: String)] = [
        ("AR", "audio received: what arrives here of the selected person"),
        ("AS", "audio sent: what arrives there of yours, as that side reports it"),
        ("lost, now", "packets lost since the start, and per cent in the last 10 s"),
        ("60 s", "loss second by second, the newest at the right; blank: nothing was due"),
        ("late", "packets that came too late to be played"),
        ("concealed", "of the time played, how much was made up because its packet was missing"),
        ("repaired", "of the packets lost, how many the codec's redundancy (FEC) and copies (RED) restored"),
        ("reordered", "packets that came after a later one"),
        ("burst", "how many packets are lost in a row, on average"),
        ("buffer", "sound that waits to be played, and how much is aimed at"),
        ("jitter", "how unevenly packets arrive"),
        ("RTT", "round-trip time, there and back"),
        ("VR, VS", "pictures received and sent: as they came or were captured → as they are shown or sent"),
        ("QP 23/127", "how coarsely pictures are coded, on average: from 0, the finest, to 127 in VP8 or 255 in VP9"),
        ("freezes", "times that a picture stood still for far longer than usual, and for how long"),
        ("NACK, RTX", "packets of pictures that were asked for again, and that came again"),
        ("key, PLI", "pictures that need none before them, and how often one was asked for"),
        ("MOS", "speech quality by the E-model, estimated: 4.4 is best, below 3.6 many complain"),
        ("dBov", "loudness: 0 is the loudest that can be sent, speech is at about -25"),
        ("from, to", "lost on the way from that person, and on the way there"),
        ("reaches 3/4", "how many of the others report that they receive you"),
        ("code", "equal at both ends if nobody sits in between: compare it aloud"),
        ("underruns", "times that this box's sound device ran dry"),
        ("late ticks", "times that this box was late with its sound"),
        ("socket drops", "packets that this box received and could not take"),
        ("camera drops", "pictures of this box's camera or screen that could not be taken"),
        ("ring drops", "packets that this box's sound and network handed each other too late to be taken"),
        ("–", "cannot be known"),
    ]
}
