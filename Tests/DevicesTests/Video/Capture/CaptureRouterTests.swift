import Devices
import MediaEngine
import Primitives
import Testing

/// Which picture goes to whom, on a clock of the test's own.
@Suite struct CaptureRouterTests {
    private final class Name {}

    private static let standard = VideoSize(width: 640, height: 480)
    private let one = Name()
    private let other = Name()
    private var router = CaptureRouter()

    init() {
        router.set(enabled: true, running: true, at: .zero)
    }

    @Test mutating func everyClientHasItsSizeAndRate() {
        add(one, .peers(needsBlack: false), 640, 480, 30)
        add(other, .peers(needsBlack: false), 320, 180, 15)
        var counts: [VideoSize: Int] = [:]
        for index in 0..<60 {
            for delivery in route(at: index) { counts[delivery.size, default: 0] += 1 }
        }
        #expect(counts[Self.standard] == 60)
        #expect((29...31).contains(counts[VideoSize(width: 320, height: 180)] ?? 0))
    }

    @Test mutating func nobodyAsksForMoreThanThirtyFrames() {
        add(one, .preview, 640, 480, 120)
        let count = (0..<240).count { index in
            let time = MonoTime(nanoseconds: Int64(index) * 1_000_000_000 / 120)
            return !router.route(Self.standard, time: time, content: .motion, isShownWhole: false).isEmpty
        }
        #expect((59...61).contains(count))
    }

    @Test mutating func disabledVideoGoesToThePreviewOnly() {
        add(one, .peers(needsBlack: false), 640, 480, 30)
        add(other, .preview, 160, 120, 15)
        router.set(enabled: false, running: true, at: .zero)
        let deliveries = (0..<10).flatMap { route(at: $0) }
        let blacks = router.tick(at: MonoTime.zero + .seconds(60))
        #expect(!deliveries.isEmpty && deliveries.allSatisfy { $0.isPreview })
        #expect(blacks.isEmpty && router.deadline == nil)
    }

    @Test mutating func blackPicturesGoOnceASecondToThoseWhoNeedThem() {
        add(one, .peers(needsBlack: true), 640, 480, 30)
        _ = route(at: 0)
        router.set(enabled: false, running: true, at: .zero)
        var count = 0
        for milliseconds in stride(from: 0, to: 10_000, by: 20) {
            let blacks = router.tick(at: MonoTime.zero + .milliseconds(milliseconds))
            #expect(blacks.allSatisfy { $0.fit == nil && $0.size == Self.standard })
            count += blacks.count
        }
        #expect(count == 10)
        router.set(enabled: true, running: true, at: MonoTime.zero + .seconds(10))
        #expect(router.deadline == nil)
    }

    @Test mutating func aSourceThatIsClosedIsBlackToo() {
        add(one, .peers(needsBlack: true), 640, 480, 30)
        router.set(enabled: true, running: false, at: .zero)
        let blacks = router.tick(at: .zero)
        #expect(blacks.count == 1)
    }

    @Test mutating func theDeadlineMovesForward() {
        add(one, .peers(needsBlack: true), 640, 480, 30)
        router.set(enabled: false, running: true, at: .zero)
        for _ in 0..<5 {
            guard let due = router.deadline else { return #expect(Bool(false), "nothing is due") }
            _ = router.tick(at: due)
            #expect(router.deadline.map { $0 > due } ?? true)
        }
    }

    @Test mutating func aRepeatGoesToWhoAskedForIt() {
        add(one, .peers(needsBlack: false), 640, 480, 30)
        add(other, .peers(needsBlack: false), 640, 480, 30)
        _ = route(at: 0)
        let again = router.route(
            Self.standard, time: MonoTime.zero + .milliseconds(1), content: .text, isShownWhole: true,
            isRepeat: true, to: ObjectIdentifier(other))
        #expect(again.map(\.client) == [ObjectIdentifier(other)])
    }

    /// A screen that changes twice quickly and then stands still is shown in its last state, at the client's rate.
    @Test mutating func theLastPictureOfAScreenIsMadeUpFor() {
        add(one, .peers(needsBlack: false), 640, 480, 10)
        let first = router.route(Self.standard, time: .zero, content: .text, isShownWhole: true)
        let refused = router.route(
            Self.standard, time: MonoTime.zero + .milliseconds(40), content: .text, isShownWhole: true)
        #expect(first.count == 1 && refused.isEmpty)
        #expect(router.deadline == MonoTime.zero + .milliseconds(100))
        let early = router.tick(at: MonoTime.zero + .milliseconds(99))
        let due = router.tick(at: MonoTime.zero + .milliseconds(100))
        #expect(early.isEmpty && due.map(\.fit?.size) == [Self.standard])
        #expect(router.deadline == nil)
        _ = router.route(Self.standard, time: MonoTime.zero + .milliseconds(140), content: .text, isShownWhole: true)
        router.set(enabled: false, running: true, at: MonoTime.zero + .milliseconds(150))
        #expect(router.deadline == nil)
    }

    @Test mutating func camerasAreCroppedAndScreensAndFilmsAreNot() {
        add(one, .peers(needsBlack: false), 640, 360, 30)
        let camera = router.route(Self.standard, time: .zero, content: .motion, isShownWhole: false)
        #expect(camera.first?.fit?.part == VideoSize(width: 640, height: 360))
        let later = MonoTime.zero + .seconds(1)
        let screen = router.route(VideoSize(width: 1280, height: 624), time: later, content: .text, isShownWhole: true)
        #expect(screen.first?.fit?.part == VideoSize(width: 1280, height: 624))
        #expect(screen.first?.size == VideoSize(width: 640, height: 312))
        let film = router.route(
            VideoSize(width: 1920, height: 800), time: later + .seconds(1), content: .motion, isShownWhole: true)
        #expect(film.first?.fit?.part == VideoSize(width: 1920, height: 800))
        #expect(film.first?.size == VideoSize(width: 640, height: 266))
    }

    @Test mutating func whoWasRemovedGetsNothing() {
        add(one, .peers(needsBlack: true), 640, 480, 30)
        router.remove(ObjectIdentifier(one))
        let deliveries = route(at: 0)
        #expect(deliveries.isEmpty && !router.hasClients)
        router.set(enabled: false, running: false, at: .zero)
        #expect(router.deadline == nil)
    }

    private mutating func add(
        _ name: Name, _ audience: CaptureRouter.Audience, _ width: Int, _ height: Int, _ rate: Int
    ) {
        let format = CaptureFormat(size: VideoSize(width: width, height: height), frameRate: rate)
        router.add(ObjectIdentifier(name), audience: audience, format: format, at: .zero)
    }

    /// The picture number `index` of a source of 30 a second.
    private mutating func route(at index: Int) -> [CaptureRouter.Delivery] {
        let time = MonoTime(nanoseconds: Int64(index) * 1_000_000_000 / 30)
        return router.route(Self.standard, time: time, content: .motion, isShownWhole: false)
    }
}
