// swift-tools-version:6.1
import Foundation
import PackageDescription

/// Settings of every Swift target.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// webrtc-audio-processing 0.3 (Debian 12) and 1.x (later systems) differ in name and in API; the shim serves both.
let audioProcessing =
    FileManager.default.fileExists(atPath: "/usr/include/webrtc-audio-processing-1")
    ? "webrtc-audio-processing-1" : "webrtc-audio-processing"

/// A C library of the system, found by pkg-config (`nil`: its module map names the library).
func system(_ name: String, pkgConfig: String?, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// A Swift module in `Sources/`, and its imports, which `ArchitectureTests` hold to the table of the architecture.
func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of one module.
func tests(
    _ name: String, _ dependencies: [String], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name + "Tests",
        dependencies: Array(Set([name, "Primitives"] + dependencies)).sorted().map { .init(stringLiteral: $0) },
        exclude: exclude,
        resources: resources,
        swiftSettings: strict)
}

/// The Python programs beside a folder's Swift files.
func scripts(in folder: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: Context.packageDirectory + "/" + folder)
    return (names ?? []).filter { $0.hasSuffix(".py") }.sorted()
}

/// libFuzzer targets have no `main`, so they join the manifest only when asked for. Of several `--sanitize` options the
/// compiler obeys the last, and their order is left to chance, so `make fuzz` asks for the coverage by name.
let fuzzers: [Target] =
    ProcessInfo.processInfo.environment["FUZZ"] == nil
    ? []
    : ["RTP", "RTCP", "SDP"].map { name in
        .executableTarget(
            name: "Fuzz" + name,
            dependencies: ["Primitives", "RTP", "SDP"],
            path: "Tests/Fuzz/" + name,
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
    }

/// Measurements of what a test cannot hold; `make bench` builds them.
let benches: [Target] =
    ProcessInfo.processInfo.environment["BENCH"] == nil
    ? []
    : [
        .executableTarget(
            name: "hoot-bench",
            dependencies: [
                "Primitives", "RTP", "MediaEngine", "Codecs", "CVPX", "Console", "ControlClient", "ControlProtocol",
                "Devices", "Terminal", "TestSupport",
            ],
            path: "Tests/Bench",
            exclude: scripts(in: "Tests/Bench"),
            swiftSettings: strict)
    ]

let package = Package(
    name: "hoot",
    products: [.executable(name: "hoot", targets: ["hoot"])],
    targets: [
        system("CGLib", pkgConfig: "gio-unix-2.0", apt: "libglib2.0-dev"),
        system("CNice", pkgConfig: "nice", apt: "libnice-dev"),
        system("CSoup", pkgConfig: "libsoup-3.0", apt: "libsoup-3.0-dev"),
        system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
        system("CSRTP", pkgConfig: "libsrtp2", apt: "libsrtp2-dev"),
        system("CUsrsctp", pkgConfig: "usrsctp", apt: "libusrsctp-dev"),
        system("CVPX", pkgConfig: "vpx", apt: "libvpx-dev"),
        system("COpus", pkgConfig: "opus", apt: "libopus-dev"),
        system("CPulse", pkgConfig: "libpulse", apt: "libpulse-dev"),
        system("CSpeexDSP", pkgConfig: "speexdsp", apt: "libspeexdsp-dev"),
        system("CSndfile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
        system("CNcurses", pkgConfig: nil, apt: "libncurses-dev"),
        system("CYuv", pkgConfig: nil, apt: "libyuv-dev"),
        system("CVterm", pkgConfig: nil, apt: "libvterm-dev"),
        system("CV4L2", pkgConfig: nil, apt: "linux-libc-dev"),
        system("CQrencode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
        system("CAudioProcessing", pkgConfig: audioProcessing, apt: "libwebrtc-audio-processing-dev"),
        .target(
            name: "CWebRTCAP",
            dependencies: ["CAudioProcessing"],
            cxxSettings: [.define("WEBRTC_POSIX"), .define("WEBRTC_AUDIO_PROCESSING_ONLY_BUILD")]),
        .target(name: "CLinux"),
        .target(name: "CGuestPage", exclude: ["page"]),
        .target(name: "CThemes"),

        module("Primitives", []),
        module("RTP", ["Primitives"]),
        module("SDP", ["Primitives"]),
        module("MediaEngine", ["Primitives", "RTP"]),
        module("Codecs", ["Primitives", "MediaEngine", "COpus", "CVPX", "CWebRTCAP", "CSpeexDSP"]),
        module("KeyFiles", ["Primitives", "CGLib"]),
        module("Reactor", ["Primitives", "CGLib", "CLinux"]),
        module(
            "Transport", ["Primitives", "RTP", "SDP", "Reactor", "CGLib", "CNice", "COpenSSL", "CSRTP", "CUsrsctp"]),
        module("Signaling", ["Primitives", "SDP", "Reactor", "CGLib", "CSoup", "CGuestPage"]),
        module("Devices", ["Primitives", "MediaEngine", "CPulse", "CLinux", "CSndfile", "CYuv", "CVterm", "CV4L2"]),
        module("ControlProtocol", ["Primitives"]),
        module("ControlClient", ["Primitives", "ControlProtocol", "CLinux"]),
        module(
            "Core",
            [
                "Primitives", "RTP", "SDP", "MediaEngine", "Codecs", "KeyFiles", "Reactor", "Transport", "Signaling",
                "Devices", "ControlProtocol", "ControlClient", "CLinux",
            ]),
        module("Terminal", ["Primitives", "KeyFiles", "CNcurses", "CQrencode", "CThemes"]),
        module("Console", ["Primitives", "ControlProtocol", "ControlClient", "KeyFiles", "Terminal"]),
        .executableTarget(
            name: "hoot",
            dependencies: ["Primitives", "ControlProtocol", "ControlClient", "Core", "Console", "CLinux"],
            exclude: ["hoot.docc", "hoot.service.in"],
            swiftSettings: strict),

        .testTarget(name: "ArchitectureTests", swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["Primitives", "Reactor", "CLinux", "CSndfile"], path: "Tests/Support",
            swiftSettings: strict),
        tests("Primitives", ["TestSupport"]),
        tests("RTP", []),
        tests("SDP", [], resources: [.copy("Fixtures")]),
        // Counts what the test's thread allocates.
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        tests("MediaEngine", ["RTP", "Codecs", "CAllocationCounter"]),
        tests("Codecs", ["MediaEngine"]),
        tests("KeyFiles", ["TestSupport"]),
        tests("Reactor", ["TestSupport"]),
        tests("Transport", ["RTP", "SDP", "Reactor", "CGLib", "TestSupport"]),
        tests("Signaling", ["SDP", "Reactor", "TestSupport"]),
        tests("Devices", ["CV4L2", "CVterm", "MediaEngine", "TestSupport"]),
        tests("ControlProtocol", ["TestSupport"]),
        tests("ControlClient", ["ControlProtocol", "CLinux", "TestSupport"]),
        tests(
            "Core",
            [
                "ControlClient", "ControlProtocol", "COpenSSL", "Devices", "MediaEngine", "Reactor", "SDP", "Signaling",
                "TestSupport",
                "Transport", "hoot",
            ],
            exclude: scripts(in: "Tests/CoreTests/Peers").map { "Peers/" + $0 }),
        tests("Terminal", ["KeyFiles", "TestSupport"]),
        tests(
            "Console", ["CLinux", "ControlClient", "ControlProtocol", "Terminal", "KeyFiles", "TestSupport", "hoot"],
            exclude: ["Goldens"]),
    ] + fuzzers + benches
)
