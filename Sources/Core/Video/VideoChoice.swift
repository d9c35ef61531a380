import ControlProtocol
import Devices
import MediaEngine

/// What is chosen to be shown to the others, as `video.select` and `video.source` name it.
enum VideoChoice: Hashable, Sendable {
    /// The camera at this path.
    case camera(String)
    /// Whatever camera there is first.
    case firstCamera
    /// One of the test patterns, by its number.
    case pattern(Int)
    case file(String)
    /// A command in a terminal of its own; empty: the user's shell.
    case terminal(String)

    /// Reads a name; `nil`: it is none, or nothing (`none`).
    init?(_ name: String) {
        let (kind, rest) = name.splitAtColon
        switch kind {
        case "camera" where rest?.isEmpty == false: self = .camera(rest ?? "")
        case "default" where rest == nil: self = .firstCamera
        case "pattern":
            guard let number = rest.map({ Int($0) }) ?? 0, (0..<TestPattern.count).contains(number) else { return nil }
            self = .pattern(number)
        case "file" where rest?.isEmpty == false: self = .file(rest ?? "")
        case "terminal": self = .terminal(rest ?? "")
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .camera(let path): "camera:\(path)"
        case .firstCamera: "default"
        case .pattern(let number): number == 0 ? "pattern" : "pattern:\(number)"
        case .file(let path): "file:\(path)"
        case .terminal(let command): command.isEmpty ? "terminal" : "terminal:\(command)"
        }
    }

    /// For people.
    var description: String {
        switch self {
        case .camera(let path): Camera.all().first { $0.path == path }?.name ?? path
        case .firstCamera: Camera.all().first?.name ?? "no camera"
        case .pattern: "test pattern"
        case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .terminal(let command): command.isEmpty ? "a shell" : command
        }
    }

    var isText: Bool {
        if case .terminal = self { true } else { false }
    }

    /// What the others are told that they see.
    var shown: VideoShown {
        switch self {
        case .camera, .firstCamera: .camera
        case .pattern, .file, .terminal: .share
        }
    }

    /// The sources that need no further word.
    static func all() -> [VideoChoice] {
        Camera.all().map { .camera($0.path) } + [.pattern(0)]
    }

    /// Makes the source. Runs on the capture's thread.
    ///
    /// - Parameter display: the X display of what is started; `nil`: the core's own.
    func makeSource(display: String? = nil) throws -> any CaptureSource {
        switch self {
        case .camera(let path): return CameraSource(path: path)
        case .firstCamera:
            guard let camera = Camera.all().first else { throw CaptureFailure.noCamera }
            return CameraSource(path: camera.path)
        case .pattern(let number): return TestPatternSource(number: number)
        case .file(let path): return Y4MSource(path: path)
        case .terminal(let command):
            let variables = display.map { ["DISPLAY": $0] } ?? [:]
            return TerminalShare(command.isEmpty ? [] : ["/bin/sh", "-c", command], variables: variables)
        }
    }
}

/// Why there is no source.
enum CaptureFailure: Error, CustomStringConvertible {
    case noCamera

    var description: String {
        "no camera is plugged in; choose a test pattern, a file or a terminal"
    }
}

extension String {
    /// The word before the first colon, and what follows it; `nil`: there is no colon.
    fileprivate var splitAtColon: (String, String?) {
        guard let colon = firstIndex(of: ":") else { return (self, nil) }
        return (String(self[..<colon]), String(self[index(after: colon)...]))
    }
}
