import Foundation

extension String {
    /// The file of this name, for the core, which has another working directory.
    var absolutePath: String {
        URL(filePath: self).path
    }
}
