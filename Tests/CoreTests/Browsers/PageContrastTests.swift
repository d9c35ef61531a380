import ControlProtocol
import TestSupport
import Testing

extension BrowserTests {
    /// What is on the page can be read: the contrasts of WCAG 2.2, level AA, sections 1.4.3 and 1.4.11.
    @Suite struct PageContrastTests {
        @Test(arguments: BrowserKind.allCases, ColorScheme.allCases)
        func everyTextAndEveryEdgeStandsOut(_ kind: BrowserKind, _ scheme: ColorScheme) throws {
            let scene = try GuestScene(kind)
            try scene.page.open(scene.link)
            try scene.page.prefer(scheme)
            try #require(try scene.page.evaluate(Self.isDark) == .bool(scheme == .dark), "the colours are not those")
            #expect(try scene.page.evaluate(Self.faintTexts) == .array([]))
            try scene.page.enter(as: "guest")
            try #require(try scene.core.waitForPeople(1))
            try scene.page.say("hello")
            try scene.page.evaluate(Self.showEverything)
            for quality in ["good", "fair", "poor"] {
                try scene.page.evaluate("\(Self.listed).dataset.quality = \"\(quality)\"")
                #expect(try scene.page.evaluate(Self.faintTexts) == .array([]), "\(quality)")
            }
            #expect(try scene.page.evaluate(Self.faintEdges) == .array([]))
            let asPictures = "(document.getElementById(\"tiles\").className = \"pictures\", \(Self.faintTexts))"
            #expect(try scene.page.evaluate(asPictures) == .array([]), "on pictures")
            if kind == .firefox {
                #expect(try scene.page.evaluate(Self.hasDarkMeter) == .bool(scheme == .dark), "an empty meter's ground")
            }
            #expect(try scene.page.evaluate("\(Self.contrasts).count > 20") == .bool(true), "there is much to see")
        }

        private static let listed = "document.querySelector(\"#people li\")"

        private static let isDark = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[0] < 128"

        private static let hasDarkMeter = """
            (() => {
              const { backgroundColor, backgroundImage } = getComputedStyle(document.querySelector("meter"));
              return backgroundImage === "none" ? backgroundColor.match(/\\d+/g)[0] < 128 : backgroundImage;
            })()
            """

        /// All sections, and a text wherever one may come.
        private static let showEverything = """
            (() => {
              document.querySelectorAll("[hidden]").forEach((each) => { each.hidden = false; });
              document.querySelectorAll("p, span, strong, li").forEach((each) => {
                if (!each.textContent.trim()) { each.textContent = "text"; }
              });
              document.querySelectorAll("details").forEach((each) => { each.open = true; });
            })()
            """

        /// Contrast of each visible element's own text, and of the edges of what is pressed or filled in, with what is
        /// behind it. What is disabled need not stand out.
        private static let contrasts = """
            (() => {
              const channels = (color) => {
                const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
                return { r, g, b, a };
              };
              const over = (top, under) => ({
                r: top.r * top.a + under.r * (1 - top.a), g: top.g * top.a + under.g * (1 - top.a),
                b: top.b * top.a + under.b * (1 - top.a), a: 1,
              });
              const ground = (element) => {
                if (!element) { return { r: 255, g: 255, b: 255, a: 1 }; }
                const color = channels(getComputedStyle(element).backgroundColor);
                return color.a === 1 ? color : over(color, ground(element.parentElement));
              };
              const linear = (value) => {
                const part = value / 255;
                return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
              };
              const luminance = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
              const ratio = (one, other) => {
                const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
                return (high + 0.05) / (low + 0.05);
              };
              const visible = [...document.querySelectorAll("body *")]
                .filter((each) => each.checkVisibility() && !each.closest(":disabled"));
              const texts = visible.filter((each) => [...each.childNodes]
                .some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()))
                .map((each) => {
                  const style = getComputedStyle(each);
                  const size = parseFloat(style.fontSize);
                  const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
                  const behind = ground(each);
                  return { ratio: ratio(over(channels(style.color), behind), behind), least: isLarge ? 3 : 4.5,
                    text: `${each.tagName} ${each.textContent.trim().slice(0, 40)}` };
                });
              const edges = visible.filter((each) => each.matches("button, select, input:not([type=checkbox])"))
                .map((each) => ({ least: 3, text: each.outerHTML.slice(0, 60),
                  ratio: Math.max(
                    ratio(channels(getComputedStyle(each).borderTopColor), ground(each.parentElement)),
                    ratio(ground(each), ground(each.parentElement))) }));
              return { texts, edges, count: texts.length + edges.length };
            })()
            """

        private static let faintTexts = "\(contrasts).texts\(faint)"
        private static let faintEdges = "\(contrasts).edges\(faint)"
        private static let faint =
            ".filter((each) => each.ratio < each.least).map((each) => `${each.ratio.toFixed(2)} ${each.text}`)"
    }
}
