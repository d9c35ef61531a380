import CV4L2
import Devices
import Foundation
import Glibc
import MediaEngine
import Primitives
import Synchronization
import TestSupport

/// A camera that answers by a script: one line for each call and its answer, `REQUEST argument… = answer…`, or
/// `! errno` for a refusal. What is not in the script is refused with EINVAL, as drivers do at the end of a list.
final class ScriptedCamera: CameraCalls {
    private struct State {
        var answers: [String: String] = [:]
        var pipe: (reader: Int32, writer: Int32)?
        var openCode: Int32 = 0
        var queue: [(sequence: UInt32, bytes: [UInt8], isDamaged: Bool)] = []
        var failure: Int32 = 0
        var free: [UInt32] = []
        /// Where the mapped buffers are.
        var memory: [UInt] = []
        var isStreaming = false
        var openCount = 0
    }

    static let bufferByteCount = 640 * 480 * 2
    private let state = Mutex(State())

    init(_ script: String) {
        state.withLock { state in
            for line in script.split(separator: "\n") {
                let sides = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                if sides.count == 2 { state.answers[sides[0]] = sides[1] }
            }
        }
    }

    var openCount: Int { state.withLock { $0.openCount } }
    var isOpen: Bool { state.withLock { $0.pipe != nil } }
    /// Buffers that the camera holds at the moment, and those that are mapped.
    var freeCount: Int { state.withLock { $0.free.count } }
    var mappedCount: Int { state.withLock { $0.memory.count } }

    /// Has `open` refused with `code` from now on; 0: it works.
    func refuse(_ code: Int32) {
        state.withLock { $0.openCode = code }
    }

    /// Puts a picture into the stream.
    func give(_ bytes: [UInt8], sequence: UInt32, isDamaged: Bool = false) {
        state.withLock { state in
            state.queue.append((sequence, bytes, isDamaged))
            ring(state)
        }
    }

    /// Pulls the plug: the stream ends with `code`, and so does every later opening.
    func unplug(_ code: Int32 = ENODEV) {
        state.withLock { state in
            state.failure = code
            state.openCode = ENOENT
            ring(state)
        }
    }

    func plugIn() {
        state.withLock { state in
            state.failure = 0
            state.openCode = 0
        }
    }

    private func ring(_ state: State) {
        var byte: UInt8 = 1
        if let pipe = state.pipe { _ = write(pipe.writer, &byte, 1) }
    }

    func open(_ path: String) -> Int32 {
        state.withLock { state in
            if state.openCode != 0 { return -state.openCode }
            guard let pipe = try? makePipe() else { return -EMFILE }
            state.pipe = pipe
            state.openCount += 1
            for _ in state.queue { ring(state) }
            return pipe.reader
        }
    }

    func close(_ camera: Int32) {
        state.withLock { state in
            if let pipe = state.pipe, pipe.reader == camera {
                _ = Glibc.close(pipe.reader)
                _ = Glibc.close(pipe.writer)
                state.pipe = nil
            }
        }
    }

    func map(_ camera: Int32, byteCount: Int, offset: Int) -> UnsafeMutableRawBufferPointer? {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        let address = UInt(bitPattern: memory.baseAddress)
        state.withLock { $0.memory.append(address) }
        return memory
    }

    func unmap(_ buffer: UnsafeMutableRawBufferPointer) {
        let address = UInt(bitPattern: buffer.baseAddress)
        state.withLock { state in state.memory.removeAll { $0 == address } }
        buffer.deallocate()
    }

    func control(_ camera: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        state.withLock { state in
            switch request {
            case CV4L2_QUERYCAP: capability(state, argument)
            case CV4L2_ENUM_FMT: format(state, argument)
            case CV4L2_ENUM_FRAMESIZES: size(state, argument)
            case CV4L2_ENUM_FRAMEINTERVALS: interval(state, argument)
            case CV4L2_S_FMT: setFormat(state, argument)
            case CV4L2_S_PARM: setRate(state, argument)
            case CV4L2_REQBUFS: state.answers["REQBUFS"].map(Self.refusal) ?? 0
            case CV4L2_QUERYBUF: queryBuffer(argument)
            case CV4L2_QBUF: queue(&state, argument)
            case CV4L2_DQBUF: dequeue(&state, argument)
            case CV4L2_STREAMON: stream(&state, true)
            case CV4L2_STREAMOFF: stream(&state, false)
            default: -ENOTTY
            }
        }
    }

    // MARK: Answers

    private static func refusal(_ answer: String) -> Int32 {
        answer.hasPrefix("!") ? -(Int32(answer.dropFirst(2)) ?? EINVAL) : 0
    }

    private static func code(_ text: some StringProtocol) -> UInt32 {
        text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func name(_ code: UInt32) -> String {
        String(decoding: (0..<4).map { UInt8(truncatingIfNeeded: code >> (8 * $0)) }, as: UTF8.self)
    }

    private static func numbers(_ text: some StringProtocol) -> [UInt32] {
        text.split { !$0.isNumber }.compactMap { UInt32($0) }
    }

    private func answer<Argument>(
        _ state: State, _ key: String, _ argument: UnsafeMutableRawPointer, as: Argument.Type,
        _ fill: (inout Argument, String) -> Void
    ) -> Int32 {
        guard let answer = state.answers[key] else { return -EINVAL }
        guard !answer.hasPrefix("!") else { return Self.refusal(answer) }
        fill(&argument.assumingMemoryBound(to: Argument.self).pointee, answer)
        return 0
    }

    private func capability(_ state: State, _ argument: UnsafeMutableRawPointer) -> Int32 {
        answer(state, "QUERYCAP", argument, as: v4l2_capability.self) { capability, answer in
            let words = answer.split(separator: " ", maxSplits: 1)
            capability.capabilities = UInt32(V4L2_CAP_DEVICE_CAPS)
            capability.device_caps = UInt32(words[0].dropFirst(2), radix: 16) ?? 0
            withUnsafeMutableBytes(of: &capability.card) { card in
                card.copyBytes(from: words[1].utf8.prefix(31))
            }
        }
    }

    private func format(_ state: State, _ argument: UnsafeMutableRawPointer) -> Int32 {
        let index = argument.assumingMemoryBound(to: v4l2_fmtdesc.self).pointee.index
        return answer(state, "ENUM_FMT \(index)", argument, as: v4l2_fmtdesc.self) {
            $0.pixelformat = Self.code($1)
        }
    }

    private func size(_ state: State, _ argument: UnsafeMutableRawPointer) -> Int32 {
        let asked = argument.assumingMemoryBound(to: v4l2_frmsizeenum.self).pointee
        let key = "ENUM_FRAMESIZES \(Self.name(asked.pixel_format)) \(asked.index)"
        return answer(state, key, argument, as: v4l2_frmsizeenum.self) { size, answer in
            let numbers = Self.numbers(answer)
            if numbers.count == 2 {
                size.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
                size.discrete = v4l2_frmsize_discrete(width: numbers[0], height: numbers[1])
            } else {
                size.type = V4L2_FRMSIZE_TYPE_STEPWISE.rawValue
                size.stepwise = v4l2_frmsize_stepwise(
                    min_width: numbers[0], max_width: numbers[1], step_width: numbers[2],
                    min_height: numbers[3], max_height: numbers[4], step_height: numbers[5])
            }
        }
    }

    private func interval(_ state: State, _ argument: UnsafeMutableRawPointer) -> Int32 {
        let asked = argument.assumingMemoryBound(to: v4l2_frmivalenum.self).pointee
        let key = "ENUM_FRAMEINTERVALS \(Self.name(asked.pixel_format)) \(asked.width)x\(asked.height) \(asked.index)"
        return answer(state, key, argument, as: v4l2_frmivalenum.self) { interval, answer in
            let numbers = Self.numbers(answer)
            if numbers.count == 2 {
                interval.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
                interval.discrete = v4l2_fract(numerator: numbers[0], denominator: numbers[1])
            } else {
                interval.type = V4L2_FRMIVAL_TYPE_CONTINUOUS.rawValue
                interval.stepwise.min = v4l2_fract(numerator: numbers[0], denominator: numbers[1])
                interval.stepwise.max = v4l2_fract(numerator: numbers[2], denominator: numbers[3])
            }
        }
    }

    private func setFormat(_ state: State, _ argument: UnsafeMutableRawPointer) -> Int32 {
        let asked = argument.assumingMemoryBound(to: v4l2_format.self).pointee.fmt.pix
        let key = "S_FMT \(Self.name(asked.pixelformat)) \(asked.width)x\(asked.height)"
        return answer(state, key, argument, as: v4l2_format.self) { format, answer in
            let words = answer.split(separator: " ")
            let numbers = Self.numbers(words[1])
            format.fmt.pix.pixelformat = Self.code(words[0])
            (format.fmt.pix.width, format.fmt.pix.height) = (numbers[0], numbers[1])
            format.fmt.pix.bytesperline = UInt32(words[2]) ?? 0
        }
    }

    private func setRate(_ state: State, _ argument: UnsafeMutableRawPointer) -> Int32 {
        let asked = argument.assumingMemoryBound(to: v4l2_streamparm.self).pointee.parm.capture.timeperframe
        return answer(
            state, "S_PARM \(asked.numerator)/\(asked.denominator)", argument, as: v4l2_streamparm.self
        ) { parameters, answer in
            let numbers = Self.numbers(answer)
            parameters.parm.capture.timeperframe = v4l2_fract(numerator: numbers[0], denominator: numbers[1])
        }
    }

    private func queryBuffer(_ argument: UnsafeMutableRawPointer) -> Int32 {
        argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.length = UInt32(Self.bufferByteCount)
        return 0
    }

    private func queue(_ state: inout State, _ argument: UnsafeMutableRawPointer) -> Int32 {
        state.free.append(argument.assumingMemoryBound(to: v4l2_buffer.self).pointee.index)
        return 0
    }

    private func stream(_ state: inout State, _ isOn: Bool) -> Int32 {
        if isOn, let answer = state.answers["STREAMON"] {
            let code = Self.refusal(answer)
            if code != 0 { return code }
        }
        state.isStreaming = isOn
        if !isOn { state.free = [] }
        return 0
    }

    private func dequeue(_ state: inout State, _ argument: UnsafeMutableRawPointer) -> Int32 {
        if state.failure != 0 { return -state.failure }
        guard state.isStreaming, !state.queue.isEmpty, !state.free.isEmpty, let pipe = state.pipe else {
            return -EAGAIN
        }
        var byte: UInt8 = 0
        _ = read(pipe.reader, &byte, 1)
        let picture = state.queue.removeFirst()
        let index = state.free.removeFirst()
        let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
        buffer.pointee.index = index
        buffer.pointee.sequence = picture.sequence
        buffer.pointee.flags = picture.isDamaged ? UInt32(V4L2_BUF_FLAG_ERROR) : 0
        buffer.pointee.bytesused = UInt32(picture.bytes.count)
        let memory = UnsafeMutableRawPointer(bitPattern: state.memory[Int(index)])
        memory?.copyMemory(from: picture.bytes, byteCount: min(picture.bytes.count, Self.bufferByteCount))
        return 0
    }
}
