import ControlClient
package import ControlProtocol
import Glibc
package import Primitives

/// Pictures out of the core's shared memory. What is wished is asked for by `video.show`, one request at a time; the
/// memory comes with its answer.
package final class SharedStagePictures: StagePictures {
    private var wishes: [VideoWish] = []
    /// What the last request asked for; `nil`: none was sent since the core was attached.
    private var asked: [VideoWish]?
    private var requestID: Int?
    private var subscription: PictureSubscription?
    /// Of the answer that is awaited.
    private var descriptors: [Int32] = []

    package init() {}

    package var descriptor: Int32 { subscription?.descriptor ?? -1 }

    package func want(_ wishes: [VideoWish]) {
        self.wishes = Array(wishes.prefix(VideoWish.limit))
    }

    /// The request that is to be sent now, if any; its id is told by `sent`.
    package var request: ConsoleRequest? {
        guard requestID == nil, wishes != asked ?? [] else { return nil }
        let texts = wishes.map { JSONValue.string($0.text) }
        return ConsoleRequest("video.show", ["pictures": .array(texts)], purpose: .plain("no pictures"))
    }

    /// The request went out; `id` is `nil` when there was nobody to send it to.
    package func sent(id: Int?) {
        guard let id else { return }
        (requestID, asked) = (id, wishes)
    }

    /// Takes over descriptors that came from the core: they belong to the one answer that is awaited.
    package func receive(descriptors: [Int32]) {
        self.descriptors += descriptors
    }

    /// A message came from the core.
    package func receive(_ message: RPCMessage) {
        switch message {
        case .result(.integer(requestID), _), .error(.integer(requestID), _):
            requestID = nil
            subscription = nil
            guard let asked, !descriptors.isEmpty else { return }
            // Without the memory there are no pictures; the next wish asks anew.
            subscription = try? PictureSubscription(asked, descriptors: descriptors)
            descriptors = []
        default: break
        }
    }

    /// The core is gone, and with it who filled the memory.
    package func lost() {
        (requestID, asked) = (nil, nil)
        subscription = nil
        for descriptor in descriptors { close(descriptor) }
        descriptors = []
    }

    package func take(_ participant: String, into picture: inout RGBPicture) -> (width: Int, height: Int)? {
        guard let index = subscription?.wishes.firstIndex(where: { $0.participant == participant }) else { return nil }
        return subscription?.take(index, into: &picture)
    }

    package func quiet() {
        subscription?.quiet()
    }
}
