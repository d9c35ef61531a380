import ControlClient
import ControlProtocol
import Glibc
import Primitives
import Testing

@testable import Console

@Suite struct SharedStagePicturesTests {
    @Test func aPictureStaysItsPersonsWhileOthersAreAskedFor() throws {
        let wishes = ["a", "b"].map { VideoWish(participant: $0, width: 2, height: 2) }
        var publisher = try PicturePublisher(wishes)
        let pictures = SharedStagePictures()
        pictures.want(wishes)
        pictures.sent(id: 1)
        pictures.receive(descriptors: publisher.descriptors.map { dup($0) })
        pictures.receive(.result(id: .integer(1), .object([:])))
        pictures.want(wishes.reversed())
        pictures.sent(id: 2)
        publisher.publish(RGBPicture(width: 2, height: 2), at: 0, source: (160, 90))
        var picture = RGBPicture(width: 0, height: 0)
        #expect(pictures.take("b", into: &picture)?.width == nil)
        #expect(pictures.take("a", into: &picture)?.width == 160)
    }
}
