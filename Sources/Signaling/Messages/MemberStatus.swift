/// What a member does with its microphone, speaker and camera.
package struct MemberStatus: Hashable, Sendable, Codable {
    /// Its microphone sends nothing.
    package var muted = false
    /// It holds the call: it neither sends nor plays.
    package var held = false
    /// It hears nobody.
    package var deafened = false
    /// It sends a picture.
    package var video = false
    /// The picture is a screen, a terminal or a file, and no camera's.
    package var screen = false
    /// It records the call.
    package var recording = false

    package init() {}

    package init(
        muted: Bool, held: Bool = false, deafened: Bool = false, video: Bool = false, screen: Bool = false,
        recording: Bool = false
    ) {
        self.muted = muted
        self.held = held
        self.deafened = deafened
        self.video = video
        self.screen = screen
        self.recording = recording
    }

    /// A field that is absent is `false`.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        muted = try fields.decodeIfPresent(Bool.self, forKey: .muted) ?? false
        held = try fields.decodeIfPresent(Bool.self, forKey: .held) ?? false
        deafened = try fields.decodeIfPresent(Bool.self, forKey: .deafened) ?? false
        video = try fields.decodeIfPresent(Bool.self, forKey: .video) ?? false
        screen = try fields.decodeIfPresent(Bool.self, forKey: .screen) ?? false
        recording = try fields.decodeIfPresent(Bool.self, forKey: .recording) ?? false
    }
}
