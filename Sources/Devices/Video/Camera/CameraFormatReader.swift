import CV4L2
import MediaEngine
import Primitives

/// Lists what an open camera can give (ENUM_FMT, ENUM_FRAMESIZES, ENUM_FRAMEINTERVALS): those of its formats that are
/// read here.
///
/// Drivers are not trusted: every list is cut off at a bound.
struct CameraFormatReader {
    private static let limit: UInt32 = 64
    /// What a camera of any size is asked for; the standard ones.
    private static let standardSizes = [
        VideoSize(width: 320, height: 180), VideoSize(width: 320, height: 240), VideoSize(width: 640, height: 360),
        VideoSize(width: 640, height: 480), VideoSize(width: 1280, height: 720), VideoSize(width: 1920, height: 1080),
    ]
    private static let standardRates = [5, 10, 15, 20, 24, 25, 30, 60]

    let calls: any CameraCalls
    let camera: Int32

    var formats: [CameraFormat] {
        pixelFormats.flatMap { pixels in
            sizes(of: pixels).flatMap { size in
                rates(of: pixels, size: size).map { CameraFormat(pixels: pixels, size: size, frameRate: $0) }
            }
        }
    }

    private var pixelFormats: [PixelFormat] {
        var found: [PixelFormat] = []
        for index in 0..<Self.limit {
            var description = v4l2_fmtdesc()
            description.index = index
            description.type = CV4L2_CAPTURE
            guard calls.control(camera, CV4L2_ENUM_FMT, &description) >= 0 else { break }
            if let format = PixelFormat(fourCC: description.pixelformat), !found.contains(format) {
                found.append(format)
            }
        }
        return found
    }

    private func sizes(of pixels: PixelFormat) -> [VideoSize] {
        var found: [VideoSize] = []
        for index in 0..<Self.limit {
            var description = v4l2_frmsizeenum()
            description.index = index
            description.pixel_format = pixels.fourCC
            guard calls.control(camera, CV4L2_ENUM_FRAMESIZES, &description) >= 0 else { break }
            if description.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                found.append(
                    VideoSize(width: Int(description.discrete.width), height: Int(description.discrete.height)))
            } else {
                return Self.sizes(in: description.stepwise)
            }
        }
        // Drivers that list no sizes take what they are asked for.
        return found.isEmpty ? [CaptureFormat.standard.size] : found
    }

    /// The standard sizes that a range has, and its largest.
    private static func sizes(in range: v4l2_frmsize_stepwise) -> [VideoSize] {
        func isIn(_ value: Int, _ low: UInt32, _ high: UInt32, _ step: UInt32) -> Bool {
            value >= Int(low) && value <= Int(high) && (value - Int(low)) % max(1, Int(step)) == 0
        }
        let fitting = standardSizes.filter { size in
            isIn(size.width, range.min_width, range.max_width, range.step_width)
                && isIn(size.height, range.min_height, range.max_height, range.step_height)
        }
        let largest = VideoSize(width: Int(range.max_width), height: Int(range.max_height))
        return fitting.contains(largest) ? fitting : fitting + [largest]
    }

    private func rates(of pixels: PixelFormat, size: VideoSize) -> [Int] {
        var found: [Int] = []
        for index in 0..<Self.limit {
            var description = v4l2_frmivalenum()
            description.index = index
            description.pixel_format = pixels.fourCC
            description.width = UInt32(truncatingIfNeeded: size.width)
            description.height = UInt32(truncatingIfNeeded: size.height)
            guard calls.control(camera, CV4L2_ENUM_FRAMEINTERVALS, &description) >= 0 else { break }
            if description.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
                found.append(Self.rate(description.discrete))
            } else {
                let slowest = Self.rate(description.stepwise.max)
                let fastest = Self.rate(description.stepwise.min)
                guard slowest <= fastest else { break }
                return Self.standardRates.filter { (slowest...fastest).contains($0) && $0 != fastest } + [fastest]
            }
        }
        let known = found.filter { $0 > 0 }
        return known.isEmpty ? [CaptureFormat.standard.frameRate] : known
    }

    /// Pictures a second of an interval; 0: it says nothing.
    static func rate(_ interval: v4l2_fract) -> Int {
        guard interval.numerator > 0 else { return 0 }
        return Int((Double(interval.denominator) / Double(interval.numerator)).rounded().clamped(to: 0...1000))
    }
}

extension PixelFormat {
    /// The four characters as V4L2 writes them, the first in the lowest byte.
    var fourCC: UInt32 {
        rawValue.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    init?(fourCC: UInt32) {
        // Drivers name motion JPEG in two ways.
        let jpeg = "JPEG".utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        let named = fourCC == jpeg ? PixelFormat.mjpeg : Self.allCases.first { $0.fourCC == fourCC }
        guard let named else { return nil }
        self = named
    }
}
