import ControlProtocol
import Primitives
import Reactor

/// Pushing to talk.
extension AudioCoordinator {
    /// What `audio.talk` is set to.
    var talkPolicy: PushToTalk? {
        settings.string("audio.talk") == "push" ? PushToTalk() : nil
    }

    /// Begins or ends `talker`'s talk; a toggle ends everybody's. Returns whether the microphone is open now.
    func talk(_ wish: SwitchWish, by talker: PushToTalk.Talker, seconds: Int?) throws(RPCError) -> Bool {
        if wish.applied(to: microphone.talk?.isTalking == true) {
            if let reason = microphone.whyNoTalk { throw .failed(reason) }
            let limit = Duration.seconds(seconds ?? settings.integer("audio.talk-limit"))
            microphone.talk?.begin(talker, until: .now() + limit)
        } else {
            microphone.talk?.end(wish == .toggle ? .script : talker)
        }
        applyMicrophone()
        return microphone.talk?.isTalking == true
    }

    /// Whoever talked is not there any more; of `script`: nobody is.
    func endTalk(of talker: PushToTalk.Talker) {
        guard microphone.talk?.isTalking == true else { return }
        microphone.talk?.end(talker)
        applyMicrophone()
    }

    func tickTalk() {
        guard microphone.talk?.tick(at: .now()) == true else { return applyMicrophone() }
        applyMicrophone()
        onEvent?(.microphone, "you talk no more: the time is over, or the key is not heard of any more; push again")
    }
}

extension ConsoleSession {
    /// Whose talk it is that this connection wishes for.
    var talker: PushToTalk.Talker {
        subscription?.isConsole == true ? .console(ObjectIdentifier(self)) : .script
    }
}
