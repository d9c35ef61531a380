import ControlClient
import ControlProtocol
import Devices
import Dispatch
import MediaEngine
import Primitives
import Synchronization

/// The pictures that one console is shown: scaled for it, and put into the memory that it shares.
final class PictureFeed: Sendable {
    let wishes: [VideoWish]
    private let store: PictureStore
    private let queue = DispatchQueue(label: "hoot.pictures")
    /// Whose new picture is not put in yet.
    private let pending = Mutex<Set<Int>>([])
    // unchecked: touched on the queue only.
    nonisolated(unsafe) private let memory: Memory

    private final class Memory {
        var publisher: PicturePublisher
        var picture = RGBPicture(width: 0, height: 0)

        init(_ wishes: [VideoWish]) throws(ClientError) {
            publisher = try PicturePublisher(wishes)
        }
    }

    /// What goes to the console with the answer: copies of these.
    let descriptors: [Int32]

    init(_ wishes: [VideoWish], store: PictureStore) throws(ClientError) {
        self.wishes = wishes
        self.store = store
        memory = try Memory(wishes)
        descriptors = memory.publisher.descriptors
        for wish in wishes { isNew(wish.participant) }
    }

    /// A picture of this person is new. Any thread.
    func isNew(_ participant: String) {
        for (index, wish) in wishes.enumerated() where wish.participant == participant {
            let isFirst = pending.withLock { $0.insert(index).inserted }
            if isFirst { queue.async { [weak self] in self?.put(index) } }
        }
    }

    private func put(_ index: Int) {
        pending.withLock { _ = $0.remove(index) }
        let wish = wishes[index]
        guard let frame = store.picture(of: wish.participant) else { return }
        memory.picture.resize(width: wish.width, height: wish.height)
        let pixels = frame.rgb(VideoSize(width: wish.width, height: wish.height))
        memory.picture.withMutableBytes { _ = $0.update(fromContentsOf: pixels) }
        memory.publisher.publish(
            memory.picture, at: index, source: (width: frame.size.width, height: frame.size.height))
    }
}

/// Everybody who is shown pictures, for the threads on which they appear.
final class PictureFeeds: Sendable {
    private let feeds = Mutex<[ObjectIdentifier: PictureFeed]>([:])

    /// Gives a console another feed; `nil`: none.
    func set(_ feed: PictureFeed?, of session: ConsoleSession) {
        feeds.withLock { $0[ObjectIdentifier(session)] = feed }
    }

    /// A picture of this person is new. Any thread.
    func isNew(_ participant: String) {
        for feed in feeds.withLock({ Array($0.values) }) { feed.isNew(participant) }
    }

    /// The largest picture of each person that is shown anywhere.
    var watched: [String: VideoWishes.Watch] {
        var watched: [String: VideoWishes.Watch] = [:]
        for wish in feeds.withLock({ $0.values.flatMap(\.wishes) }) {
            let other = watched[wish.participant] ?? .init(width: 0, height: 0)
            watched[wish.participant] = .init(
                width: max(other.width, wish.width), height: max(other.height, wish.height))
        }
        return watched
    }
}
