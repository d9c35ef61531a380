import Foundation
import Testing

/// The descriptions of real peers, by file name without extension.
enum Fixture {
    static let all = [
        "aiortc-answer", "aiortc-offer", "chromium-answers-firefox", "chromium-audio-offer",
        "chromium-audio-video-offer", "chromium-offers-firefox", "firefox-answer", "firefox-answers-chromium",
        "firefox-offer", "gstreamer-answer", "gstreamer-offer", "janus-videoroom-answer",
        "janus-videoroom-offer",
    ]

    static let offers = all.filter { $0.contains("offer") }

    static func text(_ name: String) throws -> String {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "sdp", subdirectory: "Fixtures"))
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    /// A small description that is valid in every respect.
    static let small = """
        v=0\r
        o=- 1 1 IN IP4 127.0.0.1\r
        s=-\r
        t=0 0\r
        a=group:BUNDLE a\r
        m=audio 9 UDP/TLS/RTP/SAVPF 96 0\r
        c=IN IP4 0.0.0.0\r
        a=mid:a\r
        a=sendrecv\r
        a=rtcp-mux\r
        a=ice-ufrag:abcd\r
        a=ice-pwd:abcdefghijklmnopqrstuv\r
        a=fingerprint:sha-256 \(Array(repeating: "0A", count: 32).joined(separator: ":"))\r
        a=setup:actpass\r
        a=rtpmap:96 opus/48000/2\r
        a=fmtp:96 minptime=20;useinbandfec=1\r

        """
}
