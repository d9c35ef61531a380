/// Shares a bitrate out among streams: audio whole before any video, and of video every stream's least before any more.
package enum BitrateAllocation {
    /// What one stream asks for, in bits a second on the wire, the headers included.
    package struct Request: Hashable, Sendable, BitwiseCopyable {
        /// With less the stream is off.
        package var minimum: Double
        package var maximum: Double
        /// Whether it is never off, however little there is.
        package var isEssential: Bool
        /// Whether it is on now: one that is off comes back only when there is some room to spare.
        package var isOn: Bool

        package init(minimum: Double, maximum: Double, isEssential: Bool = false, isOn: Bool = true) {
            self.minimum = minimum
            self.maximum = max(minimum, maximum)
            self.isEssential = isEssential
            self.isOn = isOn
        }
    }

    /// What a stream that is off must find free of its minimum.
    private static let returnFactor = 1.1

    /// Shares `total` among `requests`, which are in the order of their importance. 0: the stream is off.
    package static func share(_ total: Double, among requests: [Request]) -> [Double] {
        var shares = [Double](repeating: 0, count: requests.count)
        var rest = total
        for (index, request) in requests.enumerated() where request.isEssential {
            shares[index] = max(request.minimum, min(request.maximum, rest))
            rest = max(rest - shares[index], 0)
        }
        for (index, request) in requests.enumerated() where !request.isEssential {
            guard rest >= request.minimum * (request.isOn ? 1 : returnFactor) else { continue }
            shares[index] = request.minimum
            rest -= request.minimum
        }
        for (index, request) in requests.enumerated() where shares[index] > 0 {
            let more = min(max(request.maximum - shares[index], 0), rest)
            shares[index] += more
            rest -= more
        }
        return shares
    }
}
