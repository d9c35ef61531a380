import ControlClient
import ControlProtocol
import Devices
import Foundation
import MediaEngine
import Primitives
import TestSupport

/// One console shows a test pattern to another over loopback: the age of its pictures as their cells are read from the
/// other's pseudo terminal, and the time from asking for a picture to its first key frame's.
struct GlassToCell {
    private static let size = (rows: 30, columns: 90)
    private static let span = Duration.seconds(15)
    private static let rounds = 15

    private struct Result: Encodable {
        var machine = Machine()
        /// Milliseconds from the picture to its cells; the target is 120.
        var glassToCellMedianMs = 0.0
        var glassToCell95PercentMs = 0.0
        var framesPerSecond = 0.0
        /// Milliseconds from the request to a picture that was taken after it; the target is 300.
        var keyFrameMedianMs = 0.0
        var keyFrameMaxMs = 0.0
        var wholePicturesRead = 0
    }

    func perform() throws -> String {
        let (sender, receiver) = (try Seat(), try Seat())
        let link = try sender.hoot("host", "bench", "--listen", "127.0.0.1:0", "--name", "ada", "--detach")
        try sender.call("video.select", ["source": .string("pattern")])
        try sender.call("video.mute", ["on": .bool(false)])
        _ = try receiver.hoot("join", link.split(separator: "\n").first.map(String.init) ?? "", "--detach")
        var result = Result()
        try measureKeyFrames(receiver, &result)
        try measureCells(receiver, &result)
        return try report(["glassToCell": result])
    }

    private func measureCells(_ receiver: Seat, _ result: inout Result) throws {
        let (rows, columns) = Self.size
        let console = try ConsoleProcess([], in: receiver.directory, rows: rows, columns: columns)
        defer {
            console.send(SIGTERM)
            _ = console.wait()
        }
        let screen = WatchedTerminal(console.terminal, rows: rows, columns: columns)
        guard screen.watch(until: { $0.stage?.title.hasPrefix("ada") == true }) else {
            throw BenchError(description: "the stage shows nobody:\n" + screen.picture.lines.joined(separator: "\n"))
        }
        console.terminal.type("z")
        // The pacer takes some frames to find what the terminal takes.
        screen.watch(within: .seconds(4)) { _ in false }
        var (ages, last): ([Double], Int?) = ([], nil)
        var frameCount = 0
        screen.watch(within: Self.span) { picture in
            let now = MonoTime.now()
            // A question stands behind each frame. To look at every part of one would keep the console waiting.
            guard picture.questionCount != frameCount else { return false }
            frameCount = picture.questionCount
            guard let code = timecode(picture), code.milliseconds != last else { return false }
            last = code.milliseconds
            ages.append(code.age(at: now).milliseconds)
            return false
        }
        ages.sort()
        guard ages.count > 20 else { throw BenchError(description: "\(ages.count) pictures could be read") }
        result.glassToCellMedianMs = ages[ages.count / 2]
        result.glassToCell95PercentMs = ages[ages.count * 95 / 100]
        result.framesPerSecond = Double(ages.count) / Self.span.seconds
        result.wholePicturesRead = ages.count
    }

    private func timecode(_ picture: TerminalPicture) -> Timecode? {
        guard let stage = picture.stage,
            let samples = picture.samples(rows: stage.rows, columns: 0..<Self.size.columns)
        else { return nil }
        var frame = VideoFrame.black(VideoSize(width: samples.width, height: samples.height), time: .zero)
        for index in samples.luma.indices { frame.bytes[index] = samples.luma[index] }
        return Timecode(in: frame)
    }

    /// Each round asks anew for what nobody was shown since: the first picture needs a key frame.
    private func measureKeyFrames(_ receiver: Seat, _ result: inout Result) throws {
        let id = try receiver.participant()
        let wish = VideoWish(participant: id, width: 320, height: 240)
        var picture = RGBPicture(width: 0, height: 0)
        var times: [Double] = []
        for _ in 0..<Self.rounds {
            let start = MonoTime.now()
            try receiver.call("video.show", ["pictures": .array([.string(wish.text)])])
            var subscription = try PictureSubscription([wish], descriptors: receiver.connection.takeDescriptors())
            while MonoTime.now() - start < .seconds(5) {
                subscription.quiet()
                if subscription.take(0, into: &picture) != nil, isLater(picture, than: start) { break }
                var poller = pollfd(fd: subscription.descriptor, events: Int16(POLLIN), revents: 0)
                poll(&poller, 1, 20)
            }
            times.append((MonoTime.now() - start).milliseconds)
            try receiver.call("video.show", ["pictures": .array([])])
            _ = receiver.connection.takeDescriptors()
            // The sender stops sending before it is asked again.
            receiver.pause(.milliseconds(700))
        }
        times.sort()
        result.keyFrameMedianMs = times[times.count / 2]
        result.keyFrameMaxMs = times.last ?? 0
    }

    private func isLater(_ picture: RGBPicture, than start: MonoTime) -> Bool {
        var frame = VideoFrame.black(VideoSize(width: picture.width, height: picture.height), time: .zero)
        for pixel in 0..<picture.width * picture.height { frame.bytes[pixel] = picture.bytes[pixel * 3 + 1] }
        return Timecode(in: frame).map { $0.age(at: .now()) <= MonoTime.now() - start } ?? false
    }
}

/// A core in a directory of its own.
private final class Seat {
    let directory: TemporaryDirectory
    private(set) lazy var connection: CoreConnection = {
        let launcher = CoreLauncher(
            directories: Directories(environment: ConsoleProcess.environment(in: directory), userID: getuid()))
        do {
            guard let connection = try launcher.connect() else { throw ClientError.noCore }
            _ = try connection.greet(version: "bench")
            return connection
        } catch {
            FileHandle.standardError.write(Data("hoot-bench: \(error)\n".utf8))
            exit(1)
        }
    }()

    init() throws {
        directory = try TemporaryDirectory("hoot-bench")
        guard try ConsoleProcess.run(["core"], in: directory) == 0 else { throw BenchError(description: "no core") }
    }

    deinit {
        _ = try? ConsoleProcess.run(["core", "stop"], in: directory)
    }

    @discardableResult
    func call(_ method: String, _ params: [String: JSONValue] = [:]) throws -> JSONValue {
        try connection.call(method, params, within: .seconds(30))
    }

    /// Runs `hoot` with these words; its output.
    func hoot(_ words: String...) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: ConsoleProcess.program)
        process.arguments = words
        process.environment = ConsoleProcess.environment(in: directory)
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError(description: "hoot \(words[0]) failed") }
        return String(decoding: text, as: UTF8.self)
    }

    /// The id of the one other person, once connected and showing something.
    func participant() throws -> String {
        let deadline = MonoTime.now() + .seconds(20)
        while MonoTime.now() < deadline {
            let state: CoreState? = try call("core.state")["state"]?.decoded()
            let call = state?.activeCall.flatMap { state?.calls[$0] }
            if let person = call?.people.values.first, person.link == .connected, person.video == .share {
                return person.id
            }
            pause(.milliseconds(50))
        }
        throw BenchError(description: "nobody shows a picture")
    }

    func pause(_ duration: Duration) {
        _ = try? connection.wait(until: .now() + duration)
        _ = try? connection.receive()
    }
}
