import Primitives
import Testing

@testable import Signaling

/// What a client does when its machine has come into another network.
@Suite struct NetworkChangeTests {
    private func change(_ bench: inout RoomBench) {
        bench.run("ann") { $0.networkChanged(at: $1, into: &$2) }
    }

    @Test func aConnectionThatStillWorksIsKept() {
        var bench = RoomBench()
        bench.add("ann")
        bench.forgetEvents()
        change(&bench)
        bench.pass(.seconds(3))
        #expect(bench.events(of: "ann").isEmpty)
    }

    @Test func aConnectionThatHangsIsMadeAnewSoon() {
        var bench = RoomBench()
        bench.add("ann")
        bench.clients["ann"]?.isOnline = false
        bench.forgetEvents()
        change(&bench)
        bench.pass(.milliseconds(1_499))
        #expect(bench.events(of: "ann").isEmpty)
        bench.pass(.milliseconds(1))
        guard case .reconnecting(1, _, let reason)? = bench.events(of: "ann").first else {
            Issue.record("\(bench.events(of: "ann"))")
            return
        }
        #expect(reason == "it does not answer in the new network")
        bench.clients["ann"]?.isOnline = true
        bench.pass(.seconds(2))
        #expect(bench.clients["ann"]?.machine.isInside == true)
    }

    @Test func anAttemptThatIsWaitedForIsMadeAtOnce() {
        var bench = RoomBench()
        bench.add("ann")
        bench.clients["ann"]?.isOnline = false
        bench.cut("ann")
        bench.pass(.seconds(15))
        bench.clients["ann"]?.isOnline = true
        bench.forgetEvents()
        change(&bench)
        bench.pass(.milliseconds(100))
        #expect(bench.clients["ann"]?.machine.isInside == true)
    }
}
