import Glibc
import Primitives
import Reactor
import Signaling
import Transport

/// Who this installation is to others: a secret by which rooms know it again, and the certificate that people verify.
/// Both are kept in the state directory.
@EngineActor
final class PersonalIdentity {
    let secret: String
    let certificate: DTLSIdentity
    let loginName: String

    init(directories: Directories) throws {
        secret = try Self.load(directories.state + "/identity") { RoomClient.makeSecret() }
        let path = directories.state + "/media.pem"
        let pem = try Self.load(path) { String(decoding: try DTLSIdentity().pem(), as: UTF8.self) }
        certificate = try DTLSIdentity(pem: Array(pem.utf8))
        loginName = Self.currentLogin()
    }

    /// The text of the file, which `make` makes at the first use.
    private static func load(_ path: String, make: () throws -> String) throws -> String {
        if let bytes = try? RegularFile.read(path), !bytes.isEmpty { return String(decoding: bytes, as: UTF8.self) }
        let text = try make()
        try PrivateFile.write(Array(text.utf8), to: path)
        return text
    }

    private static func currentLogin() -> String {
        if let name = getpwuid(getuid())?.pointee.pw_name { return String(cString: name) }
        return "somebody"
    }
}
