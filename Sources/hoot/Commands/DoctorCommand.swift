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
            let findings = doctor.examine(problems: problems) + doctor.examineServers()
            for finding in findings {
                Output.line("\(finding.isFine ? "ok     " : "missing") \(finding.subject): \(finding.text)")
                if let command = finding.command { Output.line("        mend it: \(command)") }
            }
            return 0
        })
}
