import ArgumentParser
import Basics
import Display
import Pinentry

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Do what a link says: connect a bank, or claim an instant action.",
        usage: "countersign open <link> [<options>]",
        discussion: """
            The desktop runs this for links that a page leads to. It names the host, and asks before anything is \
            sent there. It connects no bank that runs on this computer; use countersign enroll for that. The address \
            that a bank's page leads back to is passed to the enrollment that waits for it with --callback scheme.

            Without a terminal the result is told in a notification, or in a window where there are no notifications.
            """)

    @OptionGroup var enrollment: EnrollmentOptions
    @Argument(help: "The link; others can see a program's arguments.") var link: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let news = LinkNews(options)
        do {
            guard let (summary, body, exitCode) = try await follow() else { return }
            if exitCode != Failure.cancelled.exitCode { await news.tell(summary, body) }
            if exitCode != 0 { throw ExitCode(exitCode) }
        } catch let code as ExitCode {
            throw code
        } catch {
            let failure = Failure(error)
            // A person who said no knows that, and needs no notification.
            if failure != .cancelled { await news.tell(failure) }
            throw error
        }
    }

    /// Does what the link says, and returns what to tell the person; nil if the agent tells it. `exitCode` is not 0 if
    /// a decision failed and its output said why.
    private func follow() async throws -> (summary: DisplayText, body: [DisplayText], exitCode: Int32)? {
        let settings = try Settings.load()
        let links = settings.links
        if links.isRedirect(link, returnURL: settings.returnURL) {
            try handOver()
            return (DisplayText("The bank's page came back"), [DisplayText("The enrollment that waited goes on.")], 0)
        }
        switch try links.read(link) {
        case .connect(let connect):
            try ask(about: connect.address, Context(options, settings: settings))
            let made = try await enrollment.enroll(.text(link), name: nil, options)
            return (
                DisplayText("Connected: \(made.name)"),
                [DisplayText(answered: made.bank), DisplayText(answered: made.host)], 0
            )
        case .action:
            let acting = Acting(options: options, connection: nil, yes: enrollment.yes, isClicked: true)
            switch try await acting.run(.text(link)) {
            case .claimed(let answer):
                let lines = answer.text(.plain).split(separator: "\n").map { DisplayText(answered: String($0)) }
                return (DisplayText("Claimed for \(answer.action.connection)"), lines, 0)
            case .decided(let decision, nil):
                return (DisplayText("Approved"), [DisplayText(answered: decision.text)], 0)
            case .decided(let decision, let failure?):
                let lines =
                    decision.text.split(separator: "\n").map(String.init)
                    + [failure.message, failure.hint].compactMap { $0 }
                return (DisplayText("Not approved"), lines.map { DisplayText(answered: $0) }, failure.exitCode)
            case .listed: return nil
            }
        }
    }

    /// Asks before the host is called, since any page can make a browser open a link. Services on this computer are
    /// never called from a link.
    private func ask(about configuration: WebAddress, _ context: Context) throws {
        let host = DisplayText(configuration.hostForPeople)
        guard !configuration.isThisComputer else {
            throw Failure.usage(
                "the link leads to this computer (\(host.line)), where no clicked link may lead",
                hint: "to rehearse with a bank on this computer: countersign enroll")
        }
        if enrollment.yes { return }
        let words = "\(host.line) is where this link leads, and nothing was sent there yet."
        guard context.prompts.canAsk else {
            throw Failure(
                .locked, words.dropLast() + ": nobody is here to say yes", hint: "add --yes when this is right")
        }
        let question = PinentryQuestion(
            "Connect to the bank at this host?",
            details: [
                PinentryQuestion.line("Host", host), DisplayText("Nothing was sent there yet."), PINPurpose.asker,
            ], ok: "Go on")
        guard try context.prompts.confirm(words + " Go on?", question) else { throw Failure.cancelled }
    }

    /// Delivers a redirected address to the enrollment that waits for it. Needs no PIN, because nothing is shown or
    /// opened here.
    private func handOver() throws {
        switch try RedirectPlace(home: options.home).deliver(link) {
        case .accepted: try options.render(RedirectPayload())
        case .notAccepted:
            throw Failure(
                .refused, "the enrollment that waits did not find this address good",
                hint: "see what it says, and let the bank's page try again")
        case .nobody:
            throw Failure(
                .notFound, "no enrollment waits for this address", hint: "countersign enroll --callback scheme")
        }
    }
}

extension WebAddress {
    /// Whether it names this computer: loopback, or another name that systemd-resolved or the kernel leads here.
    fileprivate var isThisComputer: Bool {
        isLoopback || host == "0.0.0.0" || host.hasSuffix(".localhost") || host == "localhost.localdomain"
    }
}
