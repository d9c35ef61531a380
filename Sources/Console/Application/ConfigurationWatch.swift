import Glibc
package import Primitives

/// Tells when `hoot.conf` or a theme of the user's may have changed (inotify(7)).
package struct ConfigurationWatch: ~Copyable {
    /// Readable when something has changed; −1 where the system cannot tell.
    package let descriptor: Int32
    private let directories: Directories

    /// A file is looked at when it is whole: closed, moved here, or gone.
    private static let changes = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)

    package init(_ directories: Directories) {
        self.directories = directories
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        watch()
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Watches what there is; a directory that is watched already is not watched twice.
    private func watch() {
        guard descriptor >= 0 else { return }
        inotify_add_watch(descriptor, directories.configuration, Self.changes | UInt32(IN_CREATE))
        inotify_add_watch(descriptor, directories.themesPath, Self.changes)
    }

    /// Takes what has happened, so that the descriptor is quiet again.
    package func quiet() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        // The themes' directory may be a new one.
        watch()
    }
}
