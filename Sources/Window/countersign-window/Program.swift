import CPlatform
import CWindow
import Client
import Cryptography
import Desktop
import Glibc

/// The window's process. It is protected before anything is read, as the command is.
@main
@MainActor
enum Program {
    static func main() {
        // Before the process is protected, since a portal refuses a protected process.
        if CommandLine.arguments.first == PortalProcess.name { PortalProcess.run() }
        do {
            try ProcessHardening.apply()
        } catch {
            let words = Array("error: the process cannot be protected from dumps and tracing\n".utf8)
            // The array lives through the call, and its own count is given.
            _ = write(STDERR_FILENO, words, words.count)
            exit(1)
        }
        if CommandLine.arguments.first == PictureProcess.name { PictureProcess.run() }
        countersign_wipe_freed_memory()
        signal(SIGPIPE, SIG_IGN)
        countersign_run_main_actor()
        let conductor = Conductor()
        let asked = AskedFor.retained { conductor.show($0, $1) }
        let actions = WindowApplication.Action.allCases.map { UnsafePointer(strdup($0.rawValue)) } + [nil]
        exit(
            countersign_run_application(
                WindowApplication.id(tag: AgentSearch.homeTag), CommandLine.argc, CommandLine.unsafeArgv, actions,
                AskedFor.run, asked,
                AskedFor.release))
    }
}
