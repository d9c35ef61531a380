import Devices
import Primitives
import Testing

@Suite struct AudioSessionTests {
    @Test func theFirstCallStartsAndTheLastOneStops() {
        var session = AudioSession()
        #expect(session.activate(for: "a") == .start)
        #expect(session.activate(for: "b") == .none)
        #expect(session.deactivate(for: "a") == .none)
        #expect(session.isActive)
        #expect(session.deactivate(for: "b") == .stop)
        #expect(!session.isActive)
    }

    @Test func activationAndDeactivationAreIdempotentForACall() {
        var session = AudioSession()
        #expect(session.deactivate(for: "a") == .none)
        #expect(session.activate(for: "a") == .start)
        #expect(session.activate(for: "a") == .none)
        #expect(session.deactivate(for: "stranger") == .none)
        #expect(session.deactivate(for: "a") == .stop)
        #expect(session.deactivate(for: "a") == .none)
    }

    @Test func aRouteIsRefusedBeforeTheCallAndEndsWithIt() throws {
        var session = AudioSession()
        #expect(throws: AudioSessionError.notActive) { try session.setRoute(.speaker) }
        _ = session.activate(for: "a")
        #expect(try session.setRoute(.speaker) == .update)
        #expect(try session.setRoute(.speaker) == .none)
        #expect(session.wishes(sink: nil, source: nil).route == .speaker)
        _ = session.deactivate(for: "a")
        #expect(session.route == nil)
    }

    @Test func aRouteLastsForTheMode() throws {
        var session = AudioSession()
        _ = session.activate(for: "a")
        _ = try session.setRoute(.speaker)
        var configuration = session.configuration
        configuration.allowsBluetooth = false
        #expect(session.setConfiguration(configuration) == .update)
        #expect(session.route == .speaker)
        configuration.mode = .video
        #expect(session.setConfiguration(configuration) == .update)
        #expect(session.route == nil)
    }

    @Test func configuringAndActivatingIsOneStep() {
        var session = AudioSession()
        var configuration = AudioSession.Configuration()
        configuration.mode = .video
        #expect(session.setConfiguration(configuration, activeFor: "a") == .start)
        #expect(session.setConfiguration(configuration, activeFor: "a") == .none)
        #expect(session.wishes(sink: "s", source: nil).mode == .video)
        #expect(session.wishes(sink: "s", source: nil).sink == "s")
    }

    @Test func configuringWithoutACallChangesNothingNow() {
        var session = AudioSession()
        var configuration = AudioSession.Configuration()
        configuration.defaultRoute = .speaker
        #expect(session.setConfiguration(configuration) == .none)
        #expect(session.wishes(sink: nil, source: nil).defaultRoute == .speaker)
    }

    @Test func bluetoothIsAllowedAndTheModeIsVoiceByDefault() {
        let configuration = AudioSession.Configuration()
        #expect(configuration.allowsBluetooth)
        #expect(configuration.mode == .voice)
        #expect(CallMode.voice.defaultRoute == .receiver)
        #expect(CallMode.video.defaultRoute == .speaker)
    }

    @Test func troubleIsToldAtOnceThenOnceInFiveMinutes() {
        var limiter = HealthLimiter()
        let start = MonoTime.zero
        #expect(limiter.take(.underflow, count: 0, at: start) == nil)
        #expect(limiter.take(.underflow, count: 2, at: start) == 2)
        #expect(limiter.take(.underflow, count: 3, at: start + .seconds(1)) == nil)
        #expect(limiter.take(.overflow, count: 1, at: start + .seconds(1)) == 1)
        #expect(limiter.take(.underflow, count: 1, at: start + .seconds(299)) == nil)
        #expect(limiter.take(.underflow, count: 0, at: start + .seconds(300)) == 4)
        #expect(limiter.take(.underflow, count: 0, at: start + .seconds(900)) == nil)
    }
}
