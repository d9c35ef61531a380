import Glibc

extension Directories {
    /// The longest socket path that fits `sockaddr_un` with its terminating zero.
    package static let longestSocketPath = 107

    /// Makes the runtime directory (0700) if it is missing and checks that it is a real directory, ours, and closed to
    /// others, and that the socket's path fits. In `/tmp` anybody may have made it before us.
    package func prepareRuntime() throws(UserFacingError) {
        try checkSocketPath()
        try Self.makePrivate(runtime)
    }

    /// Makes the state directory (0700) if it is missing and checks that it is ours.
    package func prepareState() throws(UserFacingError) {
        try Self.makePrivate(state)
    }

    /// Makes the configuration directory (0700) if it is missing and checks that it is ours.
    package func prepareConfiguration() throws(UserFacingError) {
        try Self.makePrivate(configuration)
    }

    /// Throws when the socket's path is longer than a Unix socket address holds.
    package func checkSocketPath() throws(UserFacingError) {
        let length = socketPath.utf8.count
        guard length > Self.longestSocketPath else { return }
        throw UserFacingError(
            "cannot use \(socketPath)",
            why: "it has \(length) bytes and a socket's path holds \(Self.longestSocketPath)",
            remedy: "set HOOT_RUNTIME_DIR to a shorter path")
    }

    /// Makes `path` and its missing parents, then checks the last one: a directory and no link, owned by this user, with
    /// no permission for others (they are taken away if it is ours).
    package static func makePrivate(_ path: String) throws(UserFacingError) {
        try makeMissing(path)
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw UserFacingError("cannot look at \(path)", why: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw UserFacingError(
                "cannot use \(path)", why: "it is not a directory", remedy: "move it away")
        }
        guard status.st_uid == geteuid() else {
            throw UserFacingError(
                "cannot use \(path)", why: "it belongs to user \(status.st_uid) and not to you",
                remedy: "remove it or set HOOT_RUNTIME_DIR")
        }
        if status.st_mode & 0o077 != 0, chmod(path, 0o700) != 0 {
            throw UserFacingError(
                "cannot close \(path) to others", why: String(cString: strerror(errno)), remedy: "chmod 700 \(path)")
        }
    }

    /// Makes `path` (0700) and its missing parents; what is there already, whatever it is, is left as it is.
    package static func makeMissing(_ path: String) throws(UserFacingError) {
        makeParents(of: path)
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw UserFacingError(
                "cannot make the directory \(path)", why: String(cString: strerror(errno)),
                remedy: "make it by hand or set HOOT_RUNTIME_DIR, HOOT_CONFIG_DIR or HOOT_STATE_DIR")
        }
    }

    private static func makeParents(of path: String) {
        var end = path.startIndex
        while let slash = path[end...].dropFirst().firstIndex(of: "/") {
            mkdir(String(path[..<slash]), 0o755)
            end = slash
        }
    }
}
