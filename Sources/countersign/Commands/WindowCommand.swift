import ArgumentParser
import Approvals
import ApprovalModel
import Basics
import Client
import Desktop
import Glibc
import LocalSocket
import Pinentry

struct WindowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "window", abstract: "Open the window, at a request if you name one.",
        usage: "countersign window [<ref>] [<options>]",
        discussion: """
              countersign window
              countersign window fernbank:77

            A window that is open already comes to the front. It is a package of its own, countersign-desktop.
            """)

    @Argument(help: "NAME:ID, as pending prints it.", completion: Completing.references) var ref: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        if let ref, Reference(ref)?.connection == nil { throw LookupError.needsWholeReference(ref) }
        guard let window = OwnFiles.window else {
            throw Failure(
                .notFound, "the window is not installed; it is the package countersign-desktop",
                hint: "on a terminal: countersign watch")
        }
        guard Pinentry.hasDisplay(Environment.all) else {
            throw Failure(
                .internal, "there is no display to open a window on", hint: "on a terminal: countersign watch")
        }
        if let home = options.home { setenv("COUNTERSIGN_HOME", home, 1) }
        let action = ref.map { [WindowApplication.Action.review.rawValue, $0] } ?? []
        // They are freed with this process, which becomes the window.
        let words = ([window] + action).map { strdup($0) } + [nil]
        _ = execv(window, words)
        throw Failure(.internal, "\(window) could not be started: \(String(cString: strerror(errno)))")
    }
}
