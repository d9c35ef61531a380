/// The program's version.
package enum CoreVersion {
    package static let current = "0.1.0"
}
