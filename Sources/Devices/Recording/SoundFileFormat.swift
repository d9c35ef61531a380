import CSndfile

/// The kinds of sound files that can be written, by the endings of their names.
package enum SoundFileFormat: String, CaseIterable, Sendable {
    /// Opus in Ogg (RFC 7845).
    case opus
    case ogg
    /// Lossless.
    case flac
    /// 16 bits, uncompressed.
    case wav

    /// The format that the name of a file asks for; `nil`: none of them.
    package init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        self.init(rawValue: path[dot...].dropFirst().lowercased())
    }

    /// The endings, for errors and documents.
    package static let endings = allCases.map { "." + $0.rawValue }.joined(separator: ", ")

    /// As libsndfile has it.
    var code: Int32 {
        switch self {
        case .opus, .ogg: Int32(SF_FORMAT_OGG | SF_FORMAT_OPUS)
        case .flac: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        case .wav: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
        }
    }
}
