import Glibc
import Primitives
import Terminal
import Testing

struct TerminalEnvironmentTests {
    @Test(arguments: [
        (["LANG": "en_US.UTF-8"], true), (["LANG": "C"], false), (["LANG": "de_DE.utf8"], true), ([:], false),
        (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], true),
        (["LANG": "de_DE.ISO-8859-1"], false),
    ])
    func theFirstLocaleVariableThatIsSetDecides(variables: [String: String], isUTF8: Bool) {
        #expect(TerminalEnvironment(variables: variables).isUTF8 == isUTF8)
    }

    @Test func anEmptyNoColorMeansNothing() {
        #expect(!TerminalEnvironment(variables: ["NO_COLOR": ""]).noColor)
        #expect(TerminalEnvironment(variables: ["NO_COLOR": "1"]).noColor)
    }

    @Test(arguments: [
        ("truecolor", "", true), ("24bit", "", true), ("yes", "", false), ("", "", false),
        ("truecolor", "4711.pts-0.pi", false),
    ])
    func direct24BitColoursAreToldByColorterm(colorterm: String, session: String, hasDirectColor: Bool) {
        let environment = TerminalEnvironment(variables: ["COLORTERM": colorterm, "STY": session])
        #expect(environment.hasDirectColor == hasDirectColor)
    }

    @Test func signalsComeThroughThePipe() throws {
        let pipe = try SignalPipe([SIGUSR1, SIGWINCH])
        for number in [SIGUSR1, SIGWINCH] {
            kill(getpid(), number)
            var poller = pollfd(fd: pipe.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&poller, 1, 5000) == 1)
            #expect(pipe.take() == [number])
        }
        #expect(pipe.take().isEmpty)
    }
}
