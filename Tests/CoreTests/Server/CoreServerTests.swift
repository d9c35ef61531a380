import Testing

/// Tests of cores in this process: they share its one engine, so they run one after the other.
@Suite(.serialized) struct CoreServerTests {}
