import Primitives

/// Who pushes to talk, where the microphone is open for those alone.
///
/// A talk is somebody's: a console's ends with the console, and is not ended by the key that another one lets go. Each
/// ends by itself unless it is wished again in time, so that no key whose release is never told keeps a microphone open.
struct PushToTalk: Hashable {
    /// Who pushes.
    enum Talker: Hashable {
        /// A person's, by its session.
        case console(ObjectIdentifier)
        /// A verb or a script: it speaks for the microphone, not for itself.
        case script
    }

    /// When each talk ends by itself.
    private var ends: [Talker: MonoTime] = [:]

    var isTalking: Bool { !ends.isEmpty }
    /// When the next talk ends by itself.
    var deadline: MonoTime? { ends.values.min() }

    /// Begins a talk, or goes on with it.
    mutating func begin(_ talker: Talker, until end: MonoTime) {
        ends[talker] = end
    }

    /// Ends `talker`'s talk; a script ends everybody's.
    mutating func end(_ talker: Talker) {
        if talker == .script { endAll() } else { ends[talker] = nil }
    }

    mutating func endAll() {
        ends = [:]
    }

    /// Ends what is overdue. Returns whether that was the last talk.
    mutating func tick(at now: MonoTime) -> Bool {
        let wasTalking = isTalking
        ends = ends.filter { $0.value > now }
        return wasTalking && !isTalking
    }
}
