import ControlProtocol
import Testing

struct VideoWishTests {
    @Test(arguments: ["p1=160x66", "me=1x1", "a=b=1024x1024"])
    func aWishReadsBack(text: String) {
        #expect(VideoWish(parsing: text)?.text == text)
    }

    @Test(arguments: ["", "p1", "=1x1", "p1=", "p1=0x5", "p1=5x1025", "p1=-1x5", "p1=5", "p1=5x5x5", "p1=axb", "p1=5x"])
    func whatIsNoWishIsRefused(text: String) {
        #expect(VideoWish(parsing: text) == nil)
    }

    @Test func picturesNeverOverlapAndBeginOnALine() {
        let wishes = (1...16).map { VideoWish(participant: "p\($0)", width: $0 * 7, height: $0 * 3 + 1) }
        let layout = PictureLayout(wishes)
        var ranges: [Range<Int>] = [0..<16]
        for picture in layout.pictures {
            ranges.append(picture.newest..<picture.newest + 8)
            for (index, buffer) in picture.buffers.enumerated() {
                #expect(buffer % 64 == 0 && picture.bytes(index) % 64 == 0 && picture.newest % 64 == 0)
                ranges.append(buffer..<buffer + 24)
                ranges.append(picture.bytes(index)..<picture.bytes(index) + picture.byteCount)
            }
        }
        ranges.sort { $0.lowerBound < $1.lowerBound }
        for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.upperBound <= next.lowerBound) }
        #expect(ranges.last.map { $0.upperBound <= layout.byteCount } == true)
    }
}
