import ControlClient
import ControlProtocol
import Devices
import Primitives
import Reactor
import Signaling

/// Methods on pictures.
extension Core {
    func addVideoMethods() {
        server.handle("video.mute") { [video] arguments throws(RPCError) in
            let isMuted = arguments.wish("on").applied(to: video.isMuted)
            if !isMuted, video.choice == nil { throw Self.noSource }
            video.setMuted(isMuted)
            return .object(["on": .bool(isMuted)])
        }
        server.handle("video.close") { [video] arguments in
            video.isClosed = arguments.wish("on").applied(to: video.isClosed)
            video.apply()
            return .object(["on": .bool(video.isClosed)])
        }
        server.handle("video.sources") { _ in
            .object(["sources": .array(VideoChoice.all().map(Self.describe))])
        }
        server.handle("video.select") { [video, settings] arguments, _, reply in
            do throws(RPCError) {
                let choice = try Self.choice(arguments.string("source"), after: video.choice)
                let name = JSONValue.string(choice?.name ?? "none")
                video.select(choice) { failure in
                    reply(failure.map { .failure($0) } ?? .success(.object(["source": name])))
                }
                try settings.set("video.source", to: name)
            } catch {
                reply(.failure(error))
            }
        }
    }

    func addTypingMethod() {
        server.handle("video.type") { [video] arguments throws(RPCError) in
            guard video.choice?.isText == true, video.reason == nil, let capture = video.capture else {
                throw .failed("no terminal is shared; hoot ctl video.select source=terminal")
            }
            capture.type(Array((arguments.string("text") ?? "").utf8))
            return .object([:])
        }
    }

    func addViewMethods() {
        server.handle("video.preview") { [video] arguments, session, reply in
            let isOn = arguments.wish("on").applied(to: video.isPreviewing(for: session))
            if isOn, video.choice == nil { return reply(.failure(Self.noSource)) }
            video.setPreviewing(isOn, for: session)
            reply(.success(.object(["on": .bool(isOn)])))
        }
        server.handle("video.show") { [video] arguments, session, reply in
            reply(
                Result { () throws(RPCError) in
                    let feed = try Self.feed(arguments.strings("pictures") ?? [], store: video.store)
                    video.show(feed, to: session)
                    session.attach(feed?.descriptors ?? [])
                    return .object([:])
                })
        }
        server.handle("participant.hide") { [weak self] arguments throws(RPCError) in
            guard let self else { return .null }
            let id = try participant(arguments)
            let isHidden = arguments.wish("on").applied(to: video.wishes.isHidden(id))
            do throws(CallError) {
                try video.setHidden(isHidden, id)
            } catch {
                throw error.rpcError
            }
            return .object(["on": .bool(isHidden)])
        }
        server.handle("participant.prioritize") { [weak self] arguments throws(RPCError) in
            guard let self else { return .null }
            let id = try participant(arguments)
            let isFirst = arguments.wish("on").applied(to: video.wishes.prioritized == id)
            if isFirst || video.wishes.prioritized == id { video.prioritize(isFirst ? id : nil) }
            return .object(["on": .bool(isFirst)])
        }
        server.handle("participant.layer") { [weak self] arguments throws(RPCError) in
            guard let self else { return .null }
            let id = try participant(arguments)
            let layer = arguments.string("layer").flatMap { PictureWish.Layer(rawValue: $0) }
            video.change { $0.setLayer(layer, id) }
            return .object([:])
        }
        server.handle("participants.hide") { [video] arguments in
            if let joiners = arguments.bool("joiners") { video.change { $0.hidesJoiners = joiners } }
            if arguments.value("on") != nil || arguments.bool("joiners") == nil {
                let isHidden = arguments.wish("on").applied(to: video.wishes.hidesEveryone)
                video.change { $0.setEveryoneHidden(isHidden) }
            }
            return .object([
                "on": .bool(video.wishes.hidesEveryone), "joiners": .bool(video.wishes.hidesJoiners),
            ])
        }
    }

    private static func feed(_ pictures: [String], store: PictureStore) throws(RPCError) -> PictureFeed? {
        guard !pictures.isEmpty else { return nil }
        guard pictures.count <= VideoWish.limit else {
            throw .invalidParams("parameter “pictures”: at most \(VideoWish.limit) are shown at once")
        }
        var wishes: [VideoWish] = []
        for text in pictures {
            guard let wish = VideoWish(parsing: text) else {
                throw .invalidParams(
                    "parameter “pictures”: expected PARTICIPANT=WIDTHxHEIGHT, each side 1 to 1024, got \(text.quoted)")
            }
            wishes.append(wish)
        }
        do throws(ClientError) {
            return try PictureFeed(wishes, store: store)
        } catch {
            throw .failed("\(error)")
        }
    }

    private static let noSource = RPCError.failed(
        "nothing is chosen to be shown; hoot show names what there is, hoot show pattern shows a test picture")

    /// The source of this name; without one, the next of those that need no further word.
    private static func choice(_ name: String?, after present: VideoChoice?) throws(RPCError) -> VideoChoice? {
        guard let name else {
            let all = VideoChoice.all()
            let index = present.flatMap { all.firstIndex(of: $0) }
            return index.map { $0 + 1 < all.count ? all[$0 + 1] : nil } ?? all.first
        }
        guard name != "none" else { return nil }
        guard let choice = VideoChoice(name) else {
            throw .invalidParams(
                "parameter “source”: expected camera:NAME, pattern, file:PATH, terminal:COMMAND, default or none, got "
                    + name.quoted)
        }
        return choice
    }

    private static func describe(_ choice: VideoChoice) -> JSONValue {
        var fields: [String: JSONValue] = [
            "name": .string(choice.name), "description": .string(choice.description),
        ]
        if case .camera(let path) = choice {
            let formats = (try? Camera.formats(of: path)) ?? []
            fields["formats"] = .array(formats.map { .string($0.description) })
        }
        return .object(fields)
    }
}
