import CGLib
import Primitives
import Reactor

/// The authorities that vouch for the certificates of TURN servers. Reading them takes longer than the engine may, so
/// another thread does it, once.
@EngineActor
final class TLSAuthorities {
    private var reading: Task<Result<SharedObject, Failure>, Never>?
    private let file: String

    private struct Failure: Error {
        var reason: String
    }

    /// - Parameter file: a PEM file; empty: what the system trusts.
    init(file: String) {
        self.file = file
    }

    /// The `GTlsDatabase`.
    func database() async throws(ICEServerFailure.Reason) -> GReference {
        let file = file
        let task = reading ?? Task.detached { Self.read(file) }
        reading = task
        switch await task.value {
        case .success(let database): return GReference(retaining: database.pointer)
        case .failure(let error):
            throw .certificate("no authorities can be read\(file.isEmpty ? "" : " from \(file)"): \(error.reason)")
        }
    }

    private nonisolated static func read(_ file: String) -> Result<SharedObject, Failure> {
        do throws(RegularFileError) {
            if !file.isEmpty { _ = try RegularFile.read(file, limit: 1) }
        } catch {
            return .failure(Failure(reason: "\(error)"))
        }
        var error: UnsafeMutablePointer<GError>?
        let database =
            file.isEmpty
            ? g_tls_backend_get_default_database(g_tls_backend_get_default()).map { UnsafeMutableRawPointer($0) }
            : g_tls_file_database_new(file, &error).map { UnsafeMutableRawPointer($0) }
        guard let database else {
            return .failure(Failure(reason: GLibError("g_tls_file_database_new", taking: error).message))
        }
        return .success(SharedObject(database))
    }
}

/// One reference to a GObject, kept for as long as the process needs it.
private final class SharedObject: @unchecked Sendable {
    // unchecked: set once; GObject's reference count is atomic, and a GTlsDatabase may be used from any thread.
    let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
    }

    deinit {
        g_object_unref(pointer)
    }
}
