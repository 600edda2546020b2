import CPlatform
import CWindow
import Cryptography
import Glibc

/// The window's process. It is protected before anything is read, as the command is.
@main
@MainActor
enum Program {
    static func main() {
        do {
            try ProcessHardening.apply()
        } catch {
            let words = Array("error: the process cannot be protected from dumps and tracing\n".utf8)
            // The array lives through the call, and its own count is given.
            _ = write(STDERR_FILENO, words, words.count)
            exit(1)
        }
        countersign_wipe_freed_memory()
        signal(SIGPIPE, SIG_IGN)
        countersign_run_main_actor()
        let conductor = Conductor()
        let activate = Action.retained { conductor.activate() }
        exit(countersign_run_application("org.countersign.Countersign", Action.run, activate, Action.release))
    }
}
