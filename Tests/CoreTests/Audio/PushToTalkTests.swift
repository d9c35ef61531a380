import Primitives
import Testing

@testable import Core

@Suite struct PushToTalkTests {
    private final class Session {}

    private let one = Session()
    private let other = Session()
    private var a: PushToTalk.Talker { .console(ObjectIdentifier(one)) }
    private var b: PushToTalk.Talker { .console(ObjectIdentifier(other)) }

    private func at(_ seconds: Int) -> MonoTime { .zero + .seconds(seconds) }

    @Test func eachConsolesTalkIsItsOwn() {
        var talk = PushToTalk()
        talk.begin(a, until: at(10))
        talk.begin(b, until: at(10))
        talk.end(a)
        #expect(talk.isTalking, "the other one pushes still")
        talk.end(b)
        #expect(!talk.isTalking && talk.deadline == nil)
    }

    @Test func aScriptEndsEverybodys() {
        var talk = PushToTalk()
        talk.begin(a, until: at(10))
        talk.begin(.script, until: at(10))
        talk.end(.script)
        #expect(!talk.isTalking)
    }

    @Test func aTalkEndsByItselfUnlessItIsWishedAgain() {
        var talk = PushToTalk()
        talk.begin(a, until: at(3))
        talk.begin(b, until: at(5))
        #expect(talk.deadline == at(3))
        let isOver = talk.tick(at: at(3))
        #expect(!isOver && talk.isTalking && talk.deadline == at(5), "not the last one")
        talk.begin(b, until: at(8))
        let ends = [7, 8, 9].map { talk.tick(at: at($0)) }
        #expect(ends == [false, true, false], "it is told once")
        #expect(!talk.isTalking && talk.deadline == nil)
    }
}
