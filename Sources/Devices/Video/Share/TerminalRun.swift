import MediaEngine
import Primitives

/// The life of a shared terminal on its thread.
struct TerminalRun {
    let screen: TerminalScreen
    var painter: TerminalPainter
    /// The least time from one picture to the next.
    let period: Duration
    /// Not before this is a picture given.
    private var next = MonoTime.zero

    init(screen: TerminalScreen, painter: TerminalPainter, period: Duration) {
        self.screen = screen
        self.painter = painter
        self.period = period
    }

    /// Runs until the program ends, and says how it did; `nil`: the thread is to end, and the program was ended.
    mutating func run(
        _ command: consuming TerminalCommand, on thread: WorkerThread, _ client: any CaptureClient,
        wishes: () -> (typed: [UInt8], size: TerminalSize)?
    ) -> String? {
        while true {
            show(to: client, at: .now())
            switch thread.wait(until: screen.isDirty ? next : nil, for: command.master) {
            case .stopped:
                _ = command.close()
                return nil
            case .due:
                continue
            case .called:
                guard let (typed, size) = wishes() else { continue }
                command.type(typed)
                if size != screen.size {
                    screen.resize(size)
                    command.resize(size)
                }
            case .readable:
                guard let bytes = command.read() else {
                    next = .zero
                    show(to: client, at: .now())
                    return "the shared command has ended \(command.close())"
                }
                screen.write(bytes)
                command.type(screen.takeReplies())
            }
        }
    }

    private mutating func show(to client: any CaptureClient, at now: MonoTime) {
        guard screen.isDirty, now >= next else { return }
        next = now + period
        client.captured(painter.draw(screen, at: now))
    }
}
