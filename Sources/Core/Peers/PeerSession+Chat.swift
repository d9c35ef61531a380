import Primitives
import Reactor
import SDP
import Signaling
import Transport

/// The chat with one peer: a channel that both sides know of, number 0.
extension PeerSession {
    static let chatID = DataChannelID(0)
    static let chatOptions = DataChannelOptions(label: "chat")

    func apply(_ parameters: DataParameters) {
        let wanted = SCTPParameters(
            remotePort: parameters.remotePort, remoteMessageLimit: parameters.remoteMessageLimit)
        guard transport.data?.parameters != wanted else { return }
        do {
            try transport.startData(wanted)
            try transport.data?.add(Self.chatID, Self.chatOptions)
        } catch {
            Log.warning("call", "\(member.id): no data channels: \(error)")
        }
    }

    /// Writes to the peer.
    func say(_ text: ChatText) throws(DataChannelError) {
        guard canChat, let data = transport.data else { throw .notConnected }
        let message = DataMessage.text(ChatFrame.encode(text))
        try data.send(message, on: Self.chatID)
        chatSent.count += 1
        chatSent.byteCount += message.byteCount
    }

    func took(_ event: DataChannelEvent) {
        switch event {
        case .opened(Self.chatID, _): setCanChat(true)
        // Nobody here knows what to do with other channels, and their opener should know.
        case .opened(let id, _): transport.data?.close(id)
        case .closed(Self.chatID, let reason):
            if let reason { Log.info("call", "\(member.id): chat is over: \(reason)") }
            setCanChat(false)
        case .message(Self.chatID, let message): took(message)
        case .message, .closed, .drained: break
        }
    }

    private func took(_ message: DataMessage) {
        switch chat.receive(message, at: .now()) {
        case .text(let text): owner?.peer(self, said: text)
        case .tooFast(isFirst: true): owner?.peerSaysTooMuch(self)
        case .tooFast, .malformed: break
        }
    }

    private func setCanChat(_ new: Bool) {
        guard canChat != new else { return }
        canChat = new
        owner?.peerChanged(self)
    }
}
