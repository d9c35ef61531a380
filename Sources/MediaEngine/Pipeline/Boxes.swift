/// A protocol's value is two words; the box makes it one for the ring.
final class EncoderBox {
    let encoder: any AudioEncoder

    init(_ encoder: any AudioEncoder) {
        self.encoder = encoder
    }
}

final class ProcessorBox {
    let processor: any AudioProcessor

    init(_ processor: any AudioProcessor) {
        self.processor = processor
    }
}
