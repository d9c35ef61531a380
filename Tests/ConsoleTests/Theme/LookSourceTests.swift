import Foundation
import Primitives
import Terminal
import TestSupport
import Testing

@testable import Console

/// Which theme a console shows.
struct LookSourceTests {
    private let scratch: TemporaryDirectory
    private let directories: Directories

    init() throws {
        scratch = try TemporaryDirectory("hoot-look")
        directories = Directories(environment: ["HOOT_CONFIG_DIR": scratch.path], userID: 0)
        try FileManager.default.createDirectory(atPath: directories.themesPath, withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(scratch.path)/\(name)", atomically: true, encoding: .utf8)
    }

    private func source(_ depth: ColorDepth = .palette256) -> LookSource {
        LookSource(directories: directories, isUTF8: true, depth: depth)
    }

    @Test func theThemeOfTheConfigurationIsReadAnewEachTime() throws {
        try write("[console]\ntheme = mine\n", to: "hoot.conf")
        try write("[style]\nkey = red\n", to: "themes/mine.theme")
        #expect(source().load().look[.key] == Style(foreground: .indexed(1)))
        try write("[style]\nkey = blue\n", to: "themes/mine.theme")
        #expect(source().load().look[.key] == Style(foreground: .indexed(4)))
        try write("[console]\ntheme = nord\nascii = on\n", to: "hoot.conf")
        #expect(source().load().look[.text].background.reduced(to: .palette256) == .indexed(236))
        #expect(source().load().look.glyphs == .ascii)
        #expect(source().names.suffix(2) == ["nord", "mine"])
    }

    @Test func aPreviewGoesBeforeTheConfiguration() throws {
        try write("[console]\ntheme = nord\n", to: "hoot.conf")
        var source = source()
        source.preview = "dark"
        #expect(source.load().look[.text] == .plain)
    }

    @Test(arguments: ["dark", "nord"])
    func withoutColoursAThemeOfColoursIsNotUsed(name: String) throws {
        try write("[console]\ntheme = \(name)\n", to: "hoot.conf")
        #expect(source(.mono).load().look[.microphoneLive] == Style(attributes: [.bold, .reverse]))
        #expect(source(.mono).load().look[.text] == .plain)
    }

    @Test func whatIsWrongWithAThemeIsToldByItsLine() throws {
        try write("[console]\ntheme = mine\n", to: "hoot.conf")
        try write("[style]\nkey = rouge\n", to: "themes/mine.theme")
        let warnings = source().load().warnings
        #expect(warnings.count == 1)
        #expect(warnings[0].hasSuffix("mine.theme:2: key: \"rouge\" is neither an attribute nor a colour"))
    }

    @Test func changesOfThemesAndOfTheConfigurationAreTold() throws {
        let watch = ConfigurationWatch(directories)
        #expect(!isReadable(watch.descriptor, within: 0))
        for name in ["themes/mine.theme", "hoot.conf"] {
            try write("[style]\n", to: name)
            #expect(isReadable(watch.descriptor, within: 10_000), "\(name) has changed")
            watch.quiet()
            #expect(!isReadable(watch.descriptor, within: 0))
        }
    }

    @Test func aDirectoryOfThemesThatIsMadeLaterIsWatchedToo() throws {
        try FileManager.default.removeItem(atPath: directories.themesPath)
        let watch = ConfigurationWatch(directories)
        try FileManager.default.createDirectory(atPath: directories.themesPath, withIntermediateDirectories: true)
        #expect(isReadable(watch.descriptor, within: 10_000))
        watch.quiet()
        try write("[style]\n", to: "themes/mine.theme")
        #expect(isReadable(watch.descriptor, within: 10_000))
    }

    private func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, milliseconds) == 1
    }
}
