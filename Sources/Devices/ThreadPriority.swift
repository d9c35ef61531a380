import Glibc

/// Asks for more processor time than ordinary threads get, for the calling thread only; refusal is normal.
func raiseThreadPriority() {
    _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -11)
}
