import MediaEngine
import Testing

@Suite struct BitrateAllocationTests {
    typealias Request = BitrateAllocation.Request

    private let audio = Request(minimum: 30_000, maximum: 60_000, isEssential: true)
    private let video = Request(minimum: 50_000, maximum: 1_000_000)
    private let low = Request(minimum: 30_000, maximum: 150_000)

    private static let cases: [(Double, [Double])] = [
        (2_000_000.0, [60_000.0, 1_000_000, 150_000]), (500_000, [60_000, 410_000, 30_000]),
        (120_000, [60_000, 60_000, 0]), (100_000, [60_000, 0, 40_000]), (80_000, [60_000, 0, 0]),
        (10_000, [30_000, 0, 0]),
    ]

    @Test(arguments: cases)
    func audioComesFirst(total: Double, shares: [Double]) {
        #expect(BitrateAllocation.share(total, among: [audio, video, low]) == shares)
    }

    @Test func aStreamThatIsOffComesBackOnlyWithRoomToSpare() {
        var off = video
        off.isOn = false
        #expect(BitrateAllocation.share(112_000, among: [audio, video])[1] == 52_000)
        #expect(BitrateAllocation.share(112_000, among: [audio, off])[1] == 0)
        #expect(BitrateAllocation.share(116_000, among: [audio, off])[1] == 56_000)
    }
}
