package import MediaEngine
import Primitives
import Synchronization

/// A program in a terminal, as a source of pictures: what a box without a display has for a screen.
///
/// A picture is given when something changed, at most 30 times a second. The program ends with the source, and the
/// source with the program. `type` and `resize` may be called by any thread.
package final class TerminalShare: CaptureSource, Sendable {
    private struct Wishes {
        var typed: [UInt8] = []
        var size: TerminalSize
        var thread: WorkerThread?
    }

    private let words: [String]
    private let directory: String?
    private let variables: [String: String]
    private let wishes: Mutex<Wishes>

    /// `words`: the program and its arguments; none: the user's shell. It is started when the source is, in `directory`;
    /// `nil`: the user's home. `variables` take the place of our environment's.
    package init(
        _ words: [String] = [], directory: String? = nil, variables: [String: String] = [:],
        size: TerminalSize = .standard
    ) {
        self.words = words
        self.variables = variables
        self.directory = directory
        wishes = Mutex(Wishes(size: size))
    }

    deinit {
        stop()
    }

    package var content: VideoEncoderSettings.ContentHint { .text }

    /// The picture's size is the terminal's, whatever is wanted.
    package func start(_ client: any CaptureClient, wanted: CaptureFormat) throws -> CaptureFormat {
        stop()
        let size = wishes.withLock { $0.size }
        let format = CaptureFormat(size: size.pixels, frameRate: wanted.possible.frameRate)
        let outcome = OpeningOutcome()
        let (words, directory, variables) = (words, directory, variables)
        let thread = WorkerThread("hoot-terminal") { [weak self] thread in
            do {
                let command = try TerminalCommand(words, directory: directory, variables: variables, size: size)
                guard let screen = TerminalScreen(size) else {
                    _ = command.close()
                    throw UserFacingError("cannot share a terminal", why: "there is no memory for it")
                }
                outcome.set(.success(format))
                var run = TerminalRun(screen: screen, painter: TerminalPainter(size), period: format.period)
                let end = run.run(command, on: thread, client) { self?.takeWishes() }
                if let end { client.captureEnded(reason: end) }
            } catch {
                outcome.set(.failure(error))
            }
        }
        try thread.start()
        do {
            let format = try outcome.wait()
            wishes.withLock { $0.thread = thread }
            return format
        } catch {
            thread.stop()
            throw error
        }
    }

    package func stop() {
        let thread = wishes.withLock { wishes in
            defer { wishes.thread = nil }
            return wishes.thread
        }
        thread?.stop()
    }

    /// Types `bytes` into the terminal.
    package func type(_ bytes: [UInt8]) {
        wishes.withLock { wishes in
            wishes.typed += bytes
            wishes.thread?.wake()
        }
    }

    /// Makes the terminal larger or smaller; the pictures follow.
    package func resize(_ size: TerminalSize) {
        wishes.withLock { wishes in
            wishes.size = size
            wishes.thread?.wake()
        }
    }

    private func takeWishes() -> (typed: [UInt8], size: TerminalSize) {
        wishes.withLock { wishes in
            defer { wishes.typed = [] }
            return (wishes.typed, wishes.size)
        }
    }
}
