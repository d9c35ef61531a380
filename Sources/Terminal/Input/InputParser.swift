package import Primitives

/// Turns the bytes of a terminal into keys.
///
/// `CSI 1;2R` is both a cursor report and Shift-F3. hoot never asks for the cursor, so it is the key; drawing is paced
/// by `CSI 5 n`, whose answer is like no key. Bytes that mean nothing are counted and passed over.
package struct InputParser: Machine {
    package typealias Event = InputEvent

    /// How long an escape waits for the rest of its sequence before it is the Escape key. A sequence is written in one
    /// piece, so only a split packet is waited for.
    static let escapePatience = Duration.milliseconds(50)
    /// How long a paste may pause before it counts as ended, should its end mark be lost.
    static let pastePatience = Duration.seconds(1)
    /// The longest sequence that is kept; longer ones mean nothing here and are passed over.
    static let sequenceLimit = 64
    /// Bytes of one paste; what is beyond is dropped and counted.
    static let pasteLimit = 65536

    /// Sequences and bytes that meant nothing.
    package private(set) var ignoredCount = 0
    /// When a pending escape or paste is decided.
    package private(set) var deadline: MonoTime?

    private var pending: [UInt8] = []
    private var paste: [UInt8]?
    /// Inside a control string (an answer to a question of somebody else): dropped up to its end mark.
    private var isInString = false

    package init() {}

    package mutating func receive(_ datagram: RawSpan, at now: MonoTime, into out: inout Outbox<InputEvent>) {
        for index in datagram.byteOffsets {
            take(datagram.unsafeLoad(fromByteOffset: index, as: UInt8.self), into: &out)
        }
        schedule(at: now)
    }

    package mutating func tick(at now: MonoTime, into out: inout Outbox<InputEvent>) {
        guard let deadline, now >= deadline else { return }
        if let paste {
            self.paste = nil
            out.emit(.paste(Self.text(of: paste + pending)))
        } else if isInString {
            isInString = false
            ignoredCount &+= 1
        } else if pending == [0x1B] {
            out.emit(.key(Key(.escape)))
        } else if pending.count == 2, pending[0] == 0x1B, pending[1] < 0x80 {
            out.emit(.key(Key(Character(Unicode.Scalar(pending[1])), .alt)))
        } else {
            ignoredCount &+= 1
        }
        pending = []
        self.deadline = nil
    }

    private mutating func schedule(at now: MonoTime) {
        if paste != nil || isInString {
            deadline = now + Self.pastePatience
        } else {
            deadline = pending.isEmpty ? nil : now + Self.escapePatience
        }
    }

    private mutating func take(_ byte: UInt8, into out: inout Outbox<InputEvent>) {
        if paste != nil { return takePasted(byte, into: &out) }
        if isInString { return takeString(byte) }
        pending.append(byte)
        // What is left over after a decision is looked at again; each round takes at least one byte.
        while !pending.isEmpty {
            switch SequenceDecoder.decode(pending) {
            case .more:
                guard pending.count >= Self.sequenceLimit else { return }
                ignoredCount &+= 1
                pending = []
            case .event(let event, let count):
                out.emit(event)
                pending.removeFirst(count)
            case .nothing(let count):
                ignoredCount &+= 1
                pending.removeFirst(count)
            case .pasteBegins(let count):
                paste = Array(pending.dropFirst(count))
                pending = []
            case .stringBegins:
                isInString = true
                pending = []
            }
        }
    }

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func takePasted(_ byte: UInt8, into out: inout Outbox<InputEvent>) {
        pending.append(byte)
        if pending == Self.pasteEnd {
            out.emit(.paste(Self.text(of: paste ?? [])))
            paste = nil
            pending = []
        }
        while !pending.isEmpty, !Self.pasteEnd.starts(with: pending) {
            let first = pending.removeFirst()
            if (paste?.count ?? 0) < Self.pasteLimit {
                paste?.append(first)
            } else {
                ignoredCount &+= 1
            }
        }
    }

    private mutating func takeString(_ byte: UInt8) {
        // BEL or ESC \ ends it.
        if byte == 0x07 || (byte == 0x5C && pending == [0x1B]) {
            isInString = false
            pending = []
            ignoredCount &+= 1
        } else {
            pending = byte == 0x1B ? [0x1B] : []
        }
    }

    private static func text(of bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
            .split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")
            .split(separator: "\r", omittingEmptySubsequences: false).joined(separator: "\n")
    }
}
