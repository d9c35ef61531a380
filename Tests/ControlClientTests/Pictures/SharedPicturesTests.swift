import CLinux
import ControlClient
import ControlProtocol
import Glibc
import Primitives
import TestSupport
import Testing

@Suite struct SharedPicturesTests {
    private static let wishes = [
        VideoWish(participant: "p1", width: 160, height: 66), VideoWish(participant: "me", width: 5, height: 3),
    ]

    /// A picture that is `value` all over.
    private func picture(_ value: UInt8, _ wish: VideoWish) -> RGBPicture {
        var picture = RGBPicture(width: wish.width, height: wish.height)
        picture.withMutableBytes { $0.update(repeating: value) }
        return picture
    }

    private func copies(_ descriptors: [Int32]) -> [Int32] { descriptors.map { dup($0) } }

    @Test func theNewestPictureIsTakenOnce() throws {
        var publisher = try PicturePublisher(Self.wishes)
        var subscription = try PictureSubscription(Self.wishes, descriptors: copies(publisher.descriptors))
        var taken = RGBPicture(width: 0, height: 0)
        #expect(subscription.take(0, into: &taken) == nil)
        for value: UInt8 in 1...7 { publisher.publish(picture(value, Self.wishes[1]), at: 1, source: (640, 480)) }
        let source = subscription.take(1, into: &taken)
        #expect(source?.width == 640 && source?.height == 480)
        #expect(taken == picture(7, Self.wishes[1]))
        #expect(subscription.take(1, into: &taken) == nil)
        #expect(subscription.take(0, into: &taken) == nil)
        #expect(subscription.take(9, into: &taken) == nil)
    }

    @Test func aPictureOfAnotherSizeIsNotShared() throws {
        var publisher = try PicturePublisher(Self.wishes)
        var subscription = try PictureSubscription(Self.wishes, descriptors: copies(publisher.descriptors))
        var taken = RGBPicture(width: 0, height: 0)
        publisher.publish(RGBPicture(width: 5, height: 4), at: 1, source: (1, 1))
        publisher.publish(RGBPicture(width: 5, height: 3), at: 2, source: (1, 1))
        #expect(subscription.take(1, into: &taken) == nil)
    }

    @Test func theDoorbellRingsUntilItIsHeard() throws {
        var publisher = try PicturePublisher(Self.wishes)
        let subscription = try PictureSubscription(Self.wishes, descriptors: copies(publisher.descriptors))
        func rings() -> Bool {
            var poller = pollfd(fd: subscription.descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&poller, 1, 0) == 1
        }
        #expect(!rings())
        publisher.publish(picture(1, Self.wishes[0]), at: 0, source: (1, 1))
        #expect(rings())
        subscription.quiet()
        #expect(!rings())
    }

    @Test func whatIsNoSharedMemoryIsRefused() throws {
        let publisher = try PicturePublisher([Self.wishes[1]])
        #expect(throws: ClientError.self) { _ = try Self.subscribe([]) }
        #expect(throws: ClientError.self) {
            _ = try Self.subscribe([open("/dev/null", O_RDONLY), open("/dev/null", O_RDONLY)])
        }
        // Of other wishes: too small, and of another count.
        let descriptors = copies(publisher.descriptors)
        #expect(throws: ClientError.self) { _ = try Self.subscribe(descriptors) }
    }

    private static func subscribe(_ descriptors: [Int32]) throws -> Int {
        try PictureSubscription(wishes, descriptors: descriptors).wishes.count
    }

    @Test func theReaderCannotWrite() throws {
        let publisher = try PicturePublisher(Self.wishes)
        let byteCount = PictureLayout(Self.wishes).byteCount
        #expect(mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, publisher.descriptors[0], 0) == MAP_FAILED)
        #expect(ftruncate(publisher.descriptors[0], 0) != 0)
    }

    /// A program in another language gets the descriptors over a socket and follows the layout as it is described.
    @Test func anotherProcessSeesOnlyWholePictures() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let reader = try ChildProcess(
            ["python3", "-c", Self.reader], environment: ["PATH": "/usr/bin:/bin"], input: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        var publisher = try PicturePublisher(Self.wishes)
        #expect(clinux_send_descriptors(ends[0], "answer\n", 7, publisher.descriptors, 2) == 7)
        // Each word of the reader's asks for more.
        var word: UInt8 = 0
        var value: UInt8 = 0
        while read(ends[0], &word, 1) == 1, word == UInt8(ascii: "+") {
            for _ in 0..<20 {
                value = value % 200 + 1
                publisher.publish(picture(value, Self.wishes[0]), at: 0, source: (1280, 720))
            }
        }
        #expect(word == UInt8(ascii: "."))
        #expect(reader.wait() == 0)
    }

    private static let reader = """
        import mmap, os, select, socket, struct, sys
        line = socket.socket(fileno=0)
        text, (memory, bell), _, _ = socket.recv_fds(line, 100, 2)
        assert text == b"answer\\n"
        size = 160 * 66 * 3
        padded = (size + 63) // 64 * 64
        shared = mmap.mmap(memory, os.fstat(memory).st_size, access=mmap.ACCESS_READ)
        number = lambda at: struct.unpack_from("<Q", shared, at)[0]
        assert shared[:7] == b"hootpic" and shared[7] == 1 and number(8) == 2
        seen = 0
        while seen < 300:
            line.send(b"+")
            assert select.select([bell], [], [], 10)[0]
            newest = number(64)
            buffer = 128 + newest % 3 * (64 + padded)
            if number(buffer) != newest: continue
            picture = shared[buffer + 64:buffer + 64 + size]
            source = number(buffer + 8), number(buffer + 16)
            if number(buffer) != newest: continue
            assert picture == picture[:1] * size and picture[0] > 0, "torn"
            assert source == (1280, 720)
            seen += 1
        line.send(b".")
        """

    @Test func descriptorsComeWithTheAnswer() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let connection = CoreConnection(descriptor: ends[0])
        var publisher = try PicturePublisher(Self.wishes)
        let answer = Array((#"{"jsonrpc":"2.0","id":1,"result":true}"# + "\n").utf8)
        #expect(
            clinux_send_descriptors(ends[1], answer, answer.count, publisher.descriptors, 2) == answer.count)
        #expect(try connection.call("video.show") == .bool(true))
        var subscription = try PictureSubscription(Self.wishes, descriptors: connection.takeDescriptors())
        #expect(connection.takeDescriptors().isEmpty)
        publisher.publish(picture(9, Self.wishes[1]), at: 1, source: (4, 3))
        var taken = RGBPicture(width: 0, height: 0)
        #expect(subscription.take(1, into: &taken) != nil && taken == picture(9, Self.wishes[1]))
    }
}
