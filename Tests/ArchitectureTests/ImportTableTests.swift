import Testing

/// The module graph: who may import whom. Nothing imports upwards.
@Suite struct ImportTableTests {
    private let tree = SourceTree()

    private static let table: [String: Set<String>] = [
        "Primitives": [],
        "RTP": ["Primitives"],
        "SDP": ["Primitives"],
        "MediaEngine": ["Primitives", "RTP"],
        "Codecs": ["Primitives", "MediaEngine", "COpus", "CVPX", "CWebRTCAP", "CSpeexDSP"],
        "KeyFiles": ["Primitives", "CGLib"],
        "Reactor": ["Primitives", "CGLib", "CLinux"],
        "Transport": ["Primitives", "RTP", "SDP", "Reactor", "CGLib", "CNice", "COpenSSL", "CSRTP", "CUsrsctp"],
        "Signaling": ["Primitives", "SDP", "Reactor", "CGLib", "CSoup", "CGuestPage"],
        "Devices": ["Primitives", "MediaEngine", "CPulse", "CLinux", "CSndfile", "CYuv", "CVterm", "CV4L2"],
        "ControlProtocol": ["Primitives"],
        "ControlClient": ["Primitives", "ControlProtocol", "CLinux"],
        "Core": [
            "Primitives", "RTP", "SDP", "MediaEngine", "Codecs", "KeyFiles", "Reactor", "Transport", "Signaling",
            "Devices", "ControlProtocol", "ControlClient", "CLinux",
        ],
        "Terminal": ["Primitives", "KeyFiles", "CNcurses", "CQrencode", "CThemes"],
        "Console": ["Primitives", "ControlProtocol", "ControlClient", "KeyFiles", "Terminal"],
        "hoot": ["Primitives", "ControlProtocol", "ControlClient", "Core", "Console", "CLinux"],
    ]

    /// Of the toolchain, allowed everywhere.
    private static let toolchain: Set<String> = [
        "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
    ]

    /// Machines draw bytes and time only from their driver.
    private static let machineModules: Set<String> = ["RTP", "SDP", "MediaEngine", "ControlProtocol"]

    @Test func everyFolderIsInTheTable() throws {
        let known = Set(Self.table.keys)
        let folders = try tree.modules().filter { !$0.hasPrefix("C") || known.contains($0) }
        #expect(Set(folders) == known)
    }

    @Test func modulesImportOnlyWhatTheTableAllows() throws {
        for file in try tree.swiftFiles(in: "Sources") {
            let allowed = (Self.table[file.module] ?? []).union(Self.toolchain)
            for name in imports(of: file) {
                #expect(allowed.contains(name), "\(file.path) imports \(name)")
            }
        }
    }

    @Test func theTableHasNoCycle() {
        var done: Set<String> = []
        var rest = Self.table.mapValues { $0.filter { Self.table[$0] != nil } }
        while let free = rest.first(where: { $0.value.isSubset(of: done) }) {
            done.insert(free.key)
            rest[free.key] = nil
        }
        #expect(rest.isEmpty, "a cycle among \(rest.keys.sorted())")
    }

    @Test func machinesReadNoClockAndLogNothing() throws {
        let forbidden = ["MonoTime.now()", "NTPTime.now()", "Log.", "SystemRandomNumberGenerator", "Task {", "await "]
        for file in try tree.swiftFiles(in: "Sources") where Self.machineModules.contains(file.module) {
            for (index, line) in file.lines.enumerated() where !line.contains("///") {
                let found = forbidden.first { line.contains($0) }
                #expect(found == nil, "\(file.path):\(index + 1) uses \(found ?? "")")
            }
        }
    }

    private func imports(of file: SourceTree.File) -> [String] {
        file.lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let keyword = words.firstIndex(of: "import"), keyword <= 2, words.count > keyword + 1,
                !line.contains("//")
            else { return nil }
            return words[keyword + 1].split(separator: ".").first.map(String.init)
        }
    }
}
