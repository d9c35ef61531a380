import CGLib
import Reactor

/// Names to addresses by the system's resolver, without blocking the engine. libnice itself takes addresses only.
@EngineActor
enum HostLookup {
    /// The addresses of `host`, the resolver's favourite first; an address is its own answer.
    static func addresses(of host: String) async throws(GLibError) -> [String] {
        guard !ICECandidate.isAddress(host) else { return [host] }
        let answer = await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
            let resolver = g_resolver_get_default()
            defer { g_object_unref(resolver) }
            let waiting = Unmanaged.passRetained(Waiting(continuation)).toOpaque()
            g_resolver_lookup_by_name_async(resolver, host, nil, finishLookup, waiting)
        }
        return try answer.get()
    }
}

private typealias Answer = Result<[String], GLibError>

private final class Waiting {
    let continuation: CheckedContinuation<Answer, Never>

    init(_ continuation: CheckedContinuation<Answer, Never>) {
        self.continuation = continuation
    }
}

private func finishLookup(
    _ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: gpointer?
) {
    guard let data else { return }
    let waiting = Unmanaged<Waiting>.fromOpaque(data).takeRetainedValue()
    var error: UnsafeMutablePointer<GError>?
    let resolver = UnsafeMutableRawPointer(source)?.assumingMemoryBound(to: GResolver.self)
    let list = g_resolver_lookup_by_name_finish(resolver, result, &error)
    defer { g_resolver_free_addresses(list) }
    guard error == nil else {
        waiting.continuation.resume(returning: .failure(GLibError("g_resolver_lookup_by_name", taking: error)))
        return
    }
    var addresses: [String] = []
    var item = list
    while let node = item {
        let address = node.pointee.data.assumingMemoryBound(to: GInetAddress.self)
        if let text = g_inet_address_to_string(address) {
            addresses.append(String(cString: text))
            g_free(text)
        }
        item = node.pointee.next
    }
    waiting.continuation.resume(returning: .success(addresses))
}
