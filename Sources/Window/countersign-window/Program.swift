import CPlatform
import CWindow
import Client
import Cryptography
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
        let activate = Action.retained { conductor.activate() }
        exit(countersign_run_application(id, Action.run, activate, Action.release))
    }

    /// One window for each home: the id by which the desktop finds the window that is there already.
    private static var id: String {
        let id = "org.countersign.Countersign"
        guard let home = Environment.value("COUNTERSIGN_HOME") else { return id }
        let mark = Digest.sha256(Array(home.utf8)).prefix(8).map { String($0, radix: 16) }.joined()
        return "\(id).Home\(mark)"
    }
}
