import Primitives

/// The client-to-mixer audio level of RFC 6464: the level of the packet's own sound, not smoothed.
package struct AudioLevelExtension: Hashable, Sendable, BitwiseCopyable {
    /// The name under which the extension is negotiated.
    package static let uri = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    /// Digital silence.
    package static let silence = AudioLevelExtension(belowOverload: 127, isVoice: false)

    /// In −dBov: 0 is overload, 127 digital silence.
    package var belowOverload: UInt8
    /// Whether the sender takes the sound for voice.
    package var isVoice: Bool

    package init(belowOverload: UInt8, isVoice: Bool) {
        self.belowOverload = min(belowOverload, 127)
        self.isVoice = isVoice
    }

    /// The level for `dBov`, rounded and clamped to −127…0; not-a-number is silence.
    package init(dBov: Double, isVoice: Bool) {
        let clamped = dBov.isNaN ? -127 : min(max(dBov, -127), 0)
        self.init(belowOverload: UInt8((-clamped).rounded()), isVoice: isVoice)
    }

    /// The level in dBov, −127…0.
    package var dBov: Int {
        -Int(belowOverload)
    }

    /// Reads the element's value: one byte; more are ignored.
    package init?(parsing value: RawSpan) {
        var offset = 0
        guard let byte = try? value.readUInt8(at: &offset) else { return nil }
        self.init(byte: byte)
    }

    /// The level that `byte` carries.
    package init(byte: UInt8) {
        self.init(belowOverload: byte & 0x7F, isVoice: byte & 0x80 != 0)
    }

    /// The element's value.
    package var byte: UInt8 {
        belowOverload | (isVoice ? 0x80 : 0)
    }
}

extension RTPPacket {
    /// The audio level that `datagram` carries in the element negotiated as `id`.
    package func audioLevel(id: UInt8, in datagram: RawSpan) -> AudioLevelExtension? {
        guard let range = extensions?.range(of: id, in: datagram) else { return nil }
        return AudioLevelExtension(parsing: datagram.extracting(range))
    }
}
