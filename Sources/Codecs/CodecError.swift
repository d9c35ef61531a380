/// Why a codec, resampler or processor could not be made.
package struct CodecError: Error, CustomStringConvertible {
    /// The library's function that failed.
    package var function: String
    /// The library's own words.
    package var reason: String

    package var description: String {
        "\(function): \(reason)"
    }
}
