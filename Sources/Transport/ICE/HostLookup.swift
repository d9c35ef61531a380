import CGLib
import Primitives
package import Reactor

/// Names to addresses by the system's resolver, without blocking the engine. libnice itself takes addresses only.
@EngineActor
package enum HostLookup {
    /// The addresses of `host`, the resolver's favourite first; an address is its own answer. None: the name is not
    /// known, or the resolver takes longer than `limit`.
    package static func addresses(of host: String, within limit: Duration) async -> [String] {
        guard !ICECandidate.isAddress(host) else { return [host] }
        let resolver = GReference(owning: UnsafeMutableRawPointer(g_resolver_get_default()))
        let cancellation = Cancellation(after: limit)
        let result = await GIOOperation.result { callback, data in
            g_resolver_lookup_by_name_async(resolver.typed(), host, cancellation.pointer, callback, data)
        }
        var error: UnsafeMutablePointer<GError>?
        let list = g_resolver_lookup_by_name_finish(resolver.typed(), result.opaque, &error)
        defer { g_resolver_free_addresses(list) }
        guard error == nil else {
            Log.info("ice", "\(host): \(GLibError("g_resolver_lookup_by_name", taking: error).message)")
            return []
        }
        return sequence(first: list) { $0?.pointee.next }.prefix { $0 != nil }.compactMap { node in
            guard let address = node?.pointee.data else { return nil }
            guard let text = g_inet_address_to_string(address.assumingMemoryBound(to: GInetAddress.self)) else {
                return nil
            }
            defer { g_free(text) }
            return String(cString: text)
        }
    }
}
