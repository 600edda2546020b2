import ArgumentParser
import Approvals
import Basics
import ApprovalModel
import Client
import Display
import Ledger
import Pinentry
import Web

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open a link: connect a bank, or claim an instant action.",
        usage: "countersign open <link> [<options>]",
        discussion: """
            The desktop runs this command for links on pages. It names the host and asks before anything is sent \
            there. To connect a bank that runs on this computer, use countersign enroll. With --callback scheme the \
            page's way back arrives here too, and is passed to the enrollment or login that waits for it.

            Without a terminal a notification shows the result, or a window if there are no notifications. Links ask one \
            after the other. Three more may wait; further ones, and a link that is open already, are refused.
            """)

    @OptionGroup var enrollment: EnrollmentOptions
    @Argument(help: "The link; other users can see a program's arguments.") var link: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let news = ClickOutcome(options)
        // Before the turn: the link that has it may wait for this address.
        switch Swift.Result(catching: arrive) {
        case .success(let (summary, body)?): await news.tell(summary, body)
        case .success(nil): try await ask(news)
        case .failure(let error):
            try await news.inTurn(of: link, .returning) {
                await news.tell(Failure(error))
                throw error
            }
        }
    }

    private func ask(_ news: ClickOutcome) async throws {
        try await news.inTurn(of: link, .asking) {
            do {
                switch try await follow(news) {
                case .done(let summary, let body): await news.tell(summary, body)
                case .notApproved(let decision, let failure):
                    if failure.kind != .cancelled { await news.tell(decision, failure) }
                    throw ExitCode(failure.exitCode)
                case .listed: break
                }
            } catch let code as ExitCode {
                throw code
            } catch {
                let failure = Failure(error)
                // The person said no, and needs no notification.
                if failure != .cancelled { await news.tell(failure) }
                throw error
            }
        }
    }

    /// The result of a link.
    private enum Result {
        case done(DisplayText, [DisplayText])
        /// Its output has said why.
        case notApproved(DecisionPayload, Failure)
        /// The agent notifies the person.
        case listed
    }

    /// If the link is an address that a page led back to: hands it over to the process that waits for it, and returns
    /// the message for the person.
    private func arrive() throws -> (DisplayText, [DisplayText])? {
        let settings = try Settings.load()
        if settings.links.isRedirect(link, returnURL: settings.returnURL) {
            try handOver(to: .enrollment)
            return (DisplayText("The bank's page came back"), [DisplayText("The enrollment that waited goes on.")])
        }
        if OwnScheme.leads(link) {
            try handOver(to: .login)
            return (DisplayText("Signed in"), [DisplayText("The login that waited has its session.")])
        }
        return nil
    }

    /// Connects the bank of the link, or claims its action.
    private func follow(_ news: ClickOutcome) async throws -> Result {
        let settings = try Settings.load()
        let link = try GivenLink(link, by: settings.links)
        switch try link.read(by: settings.links) {
        case .connect(let connect):
            try ask(about: connect.address, Context(options, settings: settings))
            let made = try await enrollment.enroll(.given(link), name: nil, options) {
                await news.tell(page: $0, lead: $1, $2)
            }
            return .done(
                DisplayText("Connected: \(made.name)"),
                [DisplayText(answered: made.bank), DisplayText(answered: made.host)])
        case .action:
            let acting = Acting(options: options, connection: nil, yes: enrollment.yes, isClicked: true)
            switch try await acting.run(.given(link)) {
            case .claimed(let answer):
                let lines = answer.text(.plain).split(separator: "\n").map { DisplayText(answered: String($0)) }
                return .done(DisplayText("Claimed for \(answer.action.connection)"), lines)
            case .decided(let decision, nil):
                return .done(DisplayText("Approved"), [DisplayText(answered: decision.text)])
            case .decided(let decision, let failure?): return .notApproved(decision, failure)
            case .listed: return .listed
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
        try context.prompts.demand(.call(host, PINPurpose.asker), isGiven: enrollment.yes)
    }

    /// Delivers a redirected address to the process that waits for it. Needs no PIN, because nothing is shown or opened here.
    private func handOver(to kind: RedirectPlace.Kind) throws {
        switch (try RedirectPlace(options, for: kind).deliver(link), kind) {
        case (.answered(.accepted), _): try options.render(RedirectPayload(isOfLogin: kind == .login))
        case (.answered(.locked), _):
            throw Failure(
                .locked, "the agent is locked, so nothing could be stored",
                hint: "countersign unlock, then reload the bank's page in the browser")
        case (.answered(.notAccepted), .enrollment):
            throw Failure(
                .refused, "the enrollment that waits did not find this address good",
                hint: "see what it says, and let the bank's page try again")
        case (.nobody, .enrollment):
            throw Failure(
                .notFound, "no enrollment waits for this address", hint: "countersign enroll --callback scheme")
        case (.answered(.notAccepted), .login):
            // Either the address has another login's state, or the issuer's page answered no: the login has said which.
            throw Failure(
                .notFound, "no login that waits took this address",
                hint: "see what it says, or sign in anew: countersign login URL --callback scheme")
        case (.nobody, .login):
            throw Failure(
                .notFound, "no login waits for this address", hint: "countersign login URL --callback scheme")
        }
    }
}

extension WebAddress {
    /// Whether it names this computer: loopback, or another name that systemd-resolved or the kernel leads here.
    fileprivate var isThisComputer: Bool {
        isLoopback || host == "0.0.0.0" || host.hasSuffix(".localhost") || host == "localhost.localdomain"
    }
}

extension RedirectPlace {
    /// That of the home of these options.
    init(_ options: GlobalOptions, for kind: Kind) throws {
        try self.init(home: StateDirectory(home: options.home, environment: Environment.all).path, for: kind)
    }
}
