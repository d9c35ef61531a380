/// The version of the protocol between consoles and the core.
///
/// Both sides name theirs in `core.hello`. When they differ, only the frozen methods are offered: they and their
/// parameters stay as they are for ever, so a console of any version can show, mute and end an older core's call.
package enum ProtocolVersion {
    package static let current = 3
    /// The longest line that either side accepts, in bytes, newline included.
    package static let maximumLineByteCount = 1 << 20
}
