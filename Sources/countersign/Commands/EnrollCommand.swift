import Client
import ArgumentParser
import Approvals
import Basics
import ApprovalModel
import Cryptography
import Dialogue

struct EnrollCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enroll", abstract: "Connect a bank with the link behind its QR code.",
        usage: "countersign enroll [<link>] [<options>]",
        discussion: """
              countersign enroll

            A link contains a one-time secret, and other users can see a program's arguments. So paste the link when \
            asked, or pass it on standard input with -. If the bank shows only a QR code, read that:

              countersign enroll --screen
              countersign enroll --image code.png

            The desktop's portal (org.freedesktop.portal.OpenURI) opens the bank's page, or xdg-open if the portal \
            does not. --no-browser only prints its address.
            """)

    @OptionGroup var enrollment: EnrollmentOptions
    @OptionGroup var link: LinkOptions
    @Option(help: ArgumentHelp("The connection's name; by default, derived from the bank's.", valueName: "name"))
    var name: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        _ = try await enrollment.enroll(link.source, name: name, options)
    }
}

struct ReconnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reconnect", abstract: "Connect a bank again with a new key; name and history stay.",
        usage: "countersign reconnect <name> [<link>] [<options>]",
        discussion: """
              countersign reconnect fernbank

            Some servers require a new link. It contains a one-time secret, so pass it on standard input:

              countersign reconnect fern -
            """)

    @OptionGroup var enrollment: EnrollmentOptions
    @Argument(help: "The connection's name.", completion: Completing.names) var name: String
    @Argument(
        help:
            "A new link, if the server requires one; - reads it from standard input, after the PIN if that comes from there too."
    )
    var link: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        let early = try link == "-" ? nil : link.map { try LinkKind.bank.read($0, by: context.links).link }
        try await context.with(.approvals) { operations in
            let link = try link == "-" ? GivenLink(StandardInput.link(), by: context.links) : early
            let renewed = try await enrollment.drive(.again(name, link: link), operations, context)
            try options.render(ChangedConnection(renewed, done: "Connected again"))
        }
    }
}

struct EnrollmentOptions: ParsableArguments {
    @Option(
        help:
            "How the bank's page leads back: to this computer's loopback address, by the desktop's link handler, or by an address that you paste."
    )
    var callback: PageWay = .loopback

    @Flag(help: "Print the address of the bank's page instead of opening it.") var noBrowser = false

    @Option(help: ArgumentHelp("Minutes to wait for the bank's page.", valueName: "min")) var timeout: Double = 10

    @Flag(name: .shortAndLong, help: "Do not ask to confirm the bank's hosts.") var yes = false

    func validate() throws {
        guard timeout > 0, timeout <= 1440 else { throw ValidationError("--timeout takes minutes, up to 1440") }
    }

    /// Enrolls the bank behind a link, choosing a PIN first if there is none. Prints the connection and returns it. `tell`: for
    /// a person who does not read standard error.
    func enroll(
        _ source: LinkSource, name: String?, _ options: GlobalOptions, tell: TerminalShow.Teller? = nil
    ) async throws -> ConnectionPayload {
        let context = try Context(options)
        let wanted = try name.map { name in
            guard let name = ConnectionName(name) else { throw Failure.badName }
            return name
        }
        let link = try await source.early(context, .bank)
        return try await context.with(.approvals, mayChoosePIN: true) { operations in
            let link = try link ?? GivenLink(StandardInput.link(isAlone: callback == .paste), by: context.links)
            let known = try await operations.perform(ApprovalVerbs.connections).connections
            let connection = try await drive(
                .link(link, name: wanted), operations, context, besides: known, tell: tell)
            try options.render(ChangedConnection(connection, done: "Connected"))
            if !options.json, !options.quiet {
                Terminal.say(
                    operations.locksItself
                        ? "The agent tells you of what it asks; see it with: countersign pending"
                        : "See what it asks with: countersign pending; to be told of it: countersign agent --daemonize")
            }
            return connection
        }
    }

    /// Enrolls with the chosen callback. `known`: the connections that a new one could be confused with.
    func drive(
        _ request: EnrollmentRequest, _ operations: Carrier<any ApprovalHost>, _ context: Context,
        besides known: [ConnectionPayload] = [], tell: TerminalShow.Teller? = nil
    ) async throws -> ConnectionPayload {
        let (offer, steps) = try await Terminal.saying("Asking the bank") { try await operations.enroll(request) }
        let run = PageRun(steps, answer: { try context.prompts.answer($0) }) {
            let shown = TerminalShow(
                of: "the bank", usesBrowser: !noBrowser, takesPastedAddress: context.terminal.isInteractive, tell: tell)
            return try await .bank(
                context.links, callback, shown, minutes: timeout, returnURL: context.settings.returnURL,
                secret: RandomBytes.uuid().filter { $0 != "-" }, home: context.database.directory.path)
        }
        return try await run.run(
            PageDialogue(enrolling: offer, besides: known, isAgreed: yes, before: context.prompts.audience))
    }
}

extension PageWay: ExpressibleByArgument {}
