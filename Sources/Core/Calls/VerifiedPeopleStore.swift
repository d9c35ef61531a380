import Reactor

@EngineActor
final class VerifiedPeopleStore {}
