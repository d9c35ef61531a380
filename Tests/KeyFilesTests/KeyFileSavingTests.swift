import Glibc
import KeyFiles
import Primitives
import TestSupport
import Testing

struct KeyFileSavingTests {
    @Test func commentsAndOrderSurviveAChange() throws {
        var file = KeyFile(
            text: "# top\n\n[a]\n# about x\nx=1\n\n# about y\ny=2\n\n# group b\n[b]\nz=3\n", name: "f")
        try file.set("10", for: "x", in: "a")
        try file.set("new", for: "w", in: "b")
        #expect(file.text == "# top\n\n[a]\n# about x\nx=10\n\n# about y\ny=2\n\n# group b\n\n[b]\nz=3\nw=new\n")
        #expect(KeyFile(text: file.text, name: "f").text == file.text)
    }

    @Test func aBadLineIsKeptAsAComment() {
        #expect(KeyFile(text: "[a]\nrubbish here\nx=1\n", name: "f").text == "[a]\n#rubbish here\nx=1\n")
    }

    @Test func valuesOfAnyTextComeBackAsTheyWere() throws {
        for value in ["", " lead", "tail ", "two\nlines", "a\\b", "日本 🙂", "# no comment", "a;b=c"] {
            var file = KeyFile(text: "", name: "f")
            try file.set(value, for: "k", in: "g")
            #expect(try KeyFile(text: file.text, name: "f").string("k", in: "g") == value)
        }
    }

    @Test(arguments: ["", "a=b", "a[", " a", "a#b"])
    func aNameThatGLibRefusesIsAnError(key: String) {
        #expect(throws: UserFacingError.self) {
            var file = KeyFile(text: "", name: "f")
            try file.set("1", for: key, in: "g")
        }
    }

    @Test func savingIsPrivateLeavesNothingBesideAndKeepsALink() throws {
        let directory = try TemporaryDirectory()
        let real = directory.path + "/real.conf"
        let link = directory.path + "/link.conf"
        symlink(real, link)
        try KeyFile(text: "[a]\nx=1\n", name: "f").save(to: real)
        try KeyFile(text: "[a]\nx=2\n", name: "f").save(to: link)
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(lstat(real, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try KeyFile.load(path: real).string("x", in: "a") == "2")
        #expect(try entries(of: directory.path) == ["link.conf", "real.conf"])
    }

    @Test func aMissingFileIsEmptyAndADirectoryIsAnError() throws {
        let missing = try KeyFile.load(path: "/tmp/hoot-no-such-file/x.conf").groups
        #expect(missing.isEmpty)
        #expect(throws: UserFacingError.self) { _ = try KeyFile.load(path: "/tmp").groups }
    }

    @Test func savingWhereNoDirectoryIsSaysWhy() {
        let error = #expect(throws: UserFacingError.self) {
            try KeyFile(text: "", name: "f").save(to: "/tmp/hoot-no-such-directory/x.conf")
        }
        #expect(error?.why == "No such file or directory")
    }

    private func entries(of directory: String) throws -> [String] {
        let stream = try #require(opendir(directory))
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
