import ControlProtocol
import KeyFiles
import Primitives
import Reactor

/// `hoot.conf` in memory: checked when it is read, saved when a setting changes, comments kept.
@EngineActor
final class Settings {
    private let path: String
    private var file: KeyFile
    /// What was written in the file and accepted, by name.
    private var values: [String: JSONValue] = [:]
    /// Lines of the file that were passed over, each with the reason.
    private(set) var warnings: [String] = []
    /// Why what was set last holds only until the core stops; `nil` when it is saved.
    private(set) var saveFailure: String?
    /// Why the file could not be read, in which case it is left as it is.
    private var readFailure: UserFacingError?
    /// Called after a setting changed, with its name.
    var onChange: ((String) -> Void)?

    /// Reads the file; what does not fit is passed over with a warning, and the fallback holds.
    init(path: String) {
        self.path = path
        do throws(UserFacingError) {
            file = try KeyFile.load(path: path)
        } catch {
            file = KeyFile(bytes: [], name: path)
            readFailure = error
            warnings.append(error.description)
        }
        let found = Self.read(file)
        values = found.values
        warnings += found.warnings.map(\.description)
    }

    /// What a file says and is accepted, by name, and what is passed over, each with the reason.
    nonisolated static func read(
        _ file: borrowing KeyFile
    ) -> (values: [String: JSONValue], warnings: [KeyFileWarning]) {
        var values: [String: JSONValue] = [:]
        var warnings = file.warnings
        for group in file.groups {
            for key in file.keys(in: group) {
                let name = "\(group).\(key)"
                func warn(_ message: String) {
                    warnings.append(
                        KeyFileWarning(file: file.name, line: file.line(of: key, in: group), message: message))
                }
                guard let setting = Setting.named(name) else {
                    warn("no setting \(name.quoted); it is ignored")
                    continue
                }
                do {
                    guard let text = try file.string(key, in: group) else { continue }
                    values[name] = try setting.check(.string(text))
                } catch {
                    warn("\(error); \(setting.fallback.text) is used")
                }
            }
        }
        return (values, warnings)
    }

    /// The value in force.
    subscript(name: String) -> JSONValue {
        values[name] ?? Setting.named(name)?.fallback ?? .null
    }

    func string(_ name: String) -> String {
        self[name].stringValue ?? ""
    }

    func integer(_ name: String) -> Int {
        self[name].integerValue ?? 0
    }

    func bool(_ name: String) -> Bool {
        self[name].boolValue ?? false
    }

    func strings(_ name: String) -> [String] {
        guard case .array(let items) = self[name] else { return [] }
        return items.compactMap(\.stringValue)
    }

    /// The value in force as people see it; `nil`: no such setting.
    func shown(_ name: String) -> JSONValue? {
        Setting.named(name)?.shown(self[name])
    }

    /// Every setting with the value in force as people see it.
    var all: [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.name, $0.shown(self[$0.name])) })
    }

    /// Every setting with all that is to be said of it, in the order of the documents.
    var states: [SettingState] {
        Setting.all.map { $0.state(value: $0.shown(self[$0.name])) }
    }

    /// Checks, applies and saves a new value. One that cannot be saved holds until the core stops; `saveFailure` says so.
    func set(_ name: String, to value: JSONValue) throws(RPCError) {
        guard let setting = Setting.named(name) else { throw unknown(name) }
        let checked = try setting.check(value)
        guard checked != self[name] else { return }
        do throws(UserFacingError) {
            try file.set(text(of: checked), for: setting.key, in: setting.group)
            if let readFailure { throw readFailure }
            try file.save(to: path)
            saveFailure = nil
        } catch {
            saveFailure = "settings hold until the core stops: \(error)"
            Log.warning("settings", error.description)
        }
        values[name] = checked
        onChange?(name)
    }

    /// The refusal of a name that is no setting's.
    func unknown(_ name: String) -> RPCError {
        .invalidParams("no setting \(name.quoted); `hoot ctl settings.get` lists them")
    }

    private func text(of value: JSONValue) -> String {
        switch value {
        case .bool(let flag): flag ? "on" : "off"
        default: SettingState.text(of: value)
        }
    }
}
