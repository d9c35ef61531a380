import Testing

/// All that runs against a real sound server: one after another, since it measures time.
@Suite(.serialized) enum SoundServerTests {}
