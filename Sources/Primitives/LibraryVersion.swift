/// A library that the program runs with, in the version that is loaded. The modules that wrap libraries name theirs in
/// extensions.
package struct LibraryVersion: Hashable, Sendable {
    package var name: String
    package var version: String

    package init(_ name: String, _ version: String) {
        self.name = name
        self.version = version
    }
}
