package import Primitives

extension RGBPicture {
    /// Peak signal-to-noise ratio in dB of this picture, enlarged to the size of `original`, against it.
    package func likeness(to original: RGBPicture) -> Double {
        var sum = 0
        for row in 0..<original.height {
            let line = row * height / original.height * width
            for column in 0..<original.width {
                let own = (line + column * width / original.width) * 3
                let other = (row * original.width + column) * 3
                for channel in 0..<3 {
                    let error = Int(bytes[own + channel]) - Int(original.bytes[other + channel])
                    sum += error * error
                }
            }
        }
        let mean = Double(max(sum, 1)) / Double(max(original.bytes.count, 1))
        return 10 * logarithm(255 * 255 / mean) / logarithm(10)
    }
}
