import ControlProtocol
import Primitives
import TestSupport
import Testing

extension BrowserTests {
    /// How the page's pictures stand.
    @Suite struct TileTests {
        /// Side by side where there is room, below each other where there is none; always apart, and all of them whole.
        @Test(arguments: BrowserKind.allCases) func picturesFillThePage(_ kind: BrowserKind) throws {
            let scene = try GuestScene(kind)
            try scene.page.resize(width: 1280, height: 720)
            try scene.join()
            #expect(try scene.page.evaluate("\(Self.tiles).isList") == .bool(true), "nobody shows anything")
            try scene.core.showPattern()
            try expectTiles(1, in: scene.page, columns: [1, 1, 1])
            try scene.page.click("picture")
            try expectTiles(2, in: scene.page, columns: [2, 1, 2])
            let others = try ["other", "third"].map { name in
                let page = try scene.stage.page(.chromium)
                try page.resize(width: 320, height: 240)
                try page.open(scene.link)
                try #require(try page.waits(for: "!document.getElementById(\"door\").hidden"))
                try page.fill("name", name)
                try page.click("start-picture")
                try page.evaluate("document.querySelector(\"#join button\").click()")
                return page
            }
            defer { for other in others { try? other.close() } }
            try #require(try scene.core.waitForPeople(3))
            try expectTiles(4, in: scene.page, columns: [2, 1, 2])
            #expect(try scene.page.waits(for: Self.isLow), "as small tiles ask before there is a sender")
            #expect(try scene.page.waits(for: "document.querySelectorAll(\".speaking\").length === 1"))
            try scene.core.call("video.mute", ["on": .bool(true)])
            #expect(try scene.page.waits(for: "\(Self.tiles).absent === 1"), "video off")
            try scene.page.click("leave")
            #expect(try scene.page.evaluate("document.documentElement.scrollWidth <= innerWidth") == .bool(true))
            #expect(try scene.faults().isEmpty)
        }

        /// A picture is asked for as large as its tile is.
        @Test(arguments: BrowserKind.allCases) func theTileDecidesHowLargeAPictureIsAskedFor(_ kind: BrowserKind) throws
        {
            let scene = try GuestScene(kind)
            try scene.page.resize(width: 1280, height: 720)
            try scene.join()
            try scene.core.showPattern()
            let height = "document.querySelector(\"#people video\").videoHeight"
            #expect(try scene.page.waits(for: "\(height) > 180"))
            try scene.page.resize(width: 320, height: 240)
            #expect(try scene.page.waits(for: "\(height) > 0 && \(height) <= 180"))
            try scene.page.resize(width: 1280, height: 720)
            #expect(try scene.page.waits(for: "\(height) > 180"))
            #expect(try scene.seesTimePass())
        }

        /// - Parameter columns: in a wide window, on a phone held upright, and on one that lies.
        private func expectTiles(_ count: Int, in page: any BrowserPage, columns: [Int]) throws {
            for ((width, height), columns) in zip([(1280, 720), (375, 667), (700, 360)], columns) {
                try page.resize(width: width, height: height)
                let wish = """
                    \(Self.tiles).count === \(count) && \(Self.tiles).columns === \(columns)
                      && \(Self.tiles).isWhole && \(Self.tiles).isPlaying && (\(width) < 1280 || \(Self.tiles).fills)
                    """
                let isSo = try page.waits(for: wish)
                let seen = try page.evaluate(Self.tiles)
                #expect(isSo, "\(count) at \(width)x\(height): \(seen)")
                #expect(try page.evaluate("\(Self.tiles).overlaps") == .bool(false))
            }
            try page.resize(width: 1280, height: 720)
        }

        /// Whether the last connection is sent the low layer.
        private static let isLow = """
            probe.connection.getSenders().filter(({ track }) => track?.kind === "video")
              .some((sender) => sender.getParameters().encodings[0].scaleResolutionDownBy > 2)
            """

        /// What is seen of the tiles.
        private static let tiles = """
            (() => {
              const tiles = [...document.querySelectorAll(".tile")].filter((each) => each.checkVisibility());
              const boxes = tiles.map((each) => each.getBoundingClientRect());
              const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
              const top = Math.min(...boxes.map((each) => each.top));
              const area = boxes.reduce((sum, each) => sum + each.width * each.height, 0);
              return {
                count: tiles.length,
                isList: !document.querySelector(".pictures"),
                columns: boxes.filter((each) => each.top === top).length,
                overlaps: boxes.some((a, i) => boxes.some((b, j) => i < j && !apart(a, b))),
                isWhole: document.documentElement.scrollWidth <= innerWidth
                  && boxes.every((each) => each.left >= 0 && each.right <= innerWidth && each.height <= innerHeight),
                fills: area > 0.7 * innerWidth * innerHeight
                  && boxes.every((each) => each.bottom + scrollY <= innerHeight),
                isPlaying: [...document.querySelectorAll(".tile video")]
                  .every((each) => !each.checkVisibility() || each.videoWidth > 0),
                absent: [...document.querySelectorAll(".absence")].filter((each) => each.checkVisibility()).length,
              };
            })()
            """
    }
}
