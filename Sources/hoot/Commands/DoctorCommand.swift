import Console
import ControlProtocol
import Core
import Primitives

/// `hoot doctor`.
enum DoctorCommand {
    static let command = Command(
        name: "doctor", operands: "", summary: "what is here, what is missing, and the command that mends it",
        run: { _ in
            let problems = try? Session.attach().state().problems
            let doctor = Doctor(directories: .current())
            let findings =
                doctor.examine(problems: problems) + ConfigurationReport.findings(.current()) + doctor.examineServers()
            for finding in findings {
                let word = finding.word
                let blank = String(repeating: " ", count: max(1, 8 - word.count))
                Output.line("\(word)\(blank)\(finding.subject): \(finding.text)")
                if let command = finding.command { Output.line("        mend it: \(command)") }
            }
            return 0
        })
}
