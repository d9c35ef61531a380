/// An error as its reader needs it: what failed, why, and what to do; one line, fit for standard error and for the
/// console's message line.
package struct UserFacingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed: `cannot read /home/a/.config/hoot/hoot.conf`.
    package let what: String
    /// Why, in the words of the layer below: `Permission denied`.
    package let why: String
    /// What to do about it: `make it yours with chown`. Empty when nothing can be done.
    package let remedy: String

    package init(_ what: String, why: String, remedy: String = "") {
        self.what = what
        self.why = why
        self.remedy = remedy
    }

    package var description: String {
        remedy.isEmpty ? "\(what): \(why)" : "\(what): \(why); \(remedy)"
    }
}
