/// The theme files of the source tree's `themes/` as they are in the binary; a test holds them equal.
enum EmbeddedThemes {
    /// The text of the theme called `name`.
    static func text(of name: String) -> String? {
        switch name {
        case "dark": dark
        case "light": light
        case "mono": mono
        default: nil
        }
    }

    private static let dark = #"""
        # hoot's default theme, for a dark background.
        #
        # Copy it to ~/.config/hoot/themes/NAME.theme, change it, and set "theme = NAME" in hoot.conf.
        # A style is: attributes (bold dim underline reverse), a colour, "on" and a background colour.
        # A colour is: default, a name of the palette below, one of the terminal's sixteen (red, bright-red ...),
        # 0 to 255, or #rrggbb. A scope without a style takes that of the shorter scope before its last dot.

        [theme]
        background = dark

        [palette]
        ink = #d0d0d0
        faint = #949494
        amber = #ffaf00
        leaf = #87d787
        rose = #ff8787
        sky = #87d7ff
        ember = #af0000

        [styles]
        text = default
        text.faint = faint
        text.strong = bold

        header = default
        header.room = bold sky
        header.warning = bold amber

        mic = bold
        mic.live = bold #ffffff on ember
        mic.muted = bold #1c1c1c on amber
        mic.closed = bold #1c1c1c on faint
        mic.none = bold #1c1c1c on faint
        mic.hold = bold #1c1c1c on sky
        mic.unknown = bold reverse
        mic.pending = bold underline
        mic.warning = bold amber

        panel.rule = faint
        panel.title = bold

        person = default
        person.selected = bold
        person.speaking = bold leaf
        person.lost = bold rose
        person.muted = faint

        meter = leaf
        meter.loud = amber
        meter.clip = bold rose
        meter.peak = bold
        meter.muted = faint

        loss = default
        loss.none = faint
        loss.some = amber
        loss.bad = bold rose

        spark = sky

        key = bold sky
        key.label = default
        key.disabled = faint

        message = default
        message.chat = bold
        message.warning = amber
        message.error = bold rose

        prompt = bold
        prompt.key = bold amber

        """#

    private static let light = #"""
        # For a light background. What is not said here is as in the dark theme.

        [theme]
        background = light
        inherits = dark

        [palette]
        ink = #303030
        faint = #5f5f5f
        amber = #875f00
        leaf = #005f00
        rose = #af0000
        sky = #005faf
        ember = #af0000

        [styles]
        mic.muted = bold #1c1c1c on #ffaf00
        mic.closed = bold #1c1c1c on #b2b2b2
        mic.none = bold #1c1c1c on #b2b2b2
        mic.hold = bold #ffffff on sky
        mic.warning = bold rose

        """#

    private static let mono = #"""
        # Without colour: for monochrome terminals, and wherever NO_COLOR is set.

        [theme]
        background = any

        [styles]
        text = default
        text.faint = dim
        text.strong = bold

        header.room = bold
        header.warning = bold underline

        mic = bold
        mic.live = bold reverse
        mic.muted = bold underline
        mic.closed = dim
        mic.none = dim
        mic.hold = bold underline
        mic.unknown = bold reverse
        mic.pending = bold underline
        mic.warning = bold underline

        panel.rule = dim
        panel.title = bold

        person.selected = bold
        person.speaking = bold
        person.lost = bold underline
        person.muted = dim

        meter.clip = bold
        meter.peak = bold
        meter.muted = dim

        loss.none = dim
        loss.some = underline
        loss.bad = bold underline

        key = bold
        key.disabled = dim

        message.chat = bold
        message.warning = bold
        message.error = bold underline

        prompt = bold
        prompt.key = bold underline

        """#
}
