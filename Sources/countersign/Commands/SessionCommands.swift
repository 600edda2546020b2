import Client
import ArgumentParser
import Basics
import Dialogue
import CTerminal
import Display
import Sessions
import Web

struct ListSessions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List where you are signed in.",
        usage: "countersign sessions [list] [<options>]")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).with(.sessions) {
            let answer = try await $0.perform(SessionVerbs.sessions)
            options.say(failures: answer.failures?.map(\.text))
            try options.render(answer)
        }
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout", abstract: "Sign out: end the tokens at the issuer, then destroy the session here.",
        usage: "countersign logout <name>... | --all [<options>]",
        discussion: """
              countersign logout fern

            On a terminal it lists the programs and sites that lose their tokens, and asks first. Without one, or with --no-input, it \
            acts at once. You are signed out even if the issuer cannot be reached; it is notified later. Your browser may stay \
            signed in. On a terminal the issuer's page for that is opened, if it has one and you keep no other session there.
            """)

    @Argument(help: "The names of sessions.") var names: [String] = []
    @Flag(help: "Sign out of all sessions except those with --keep.") var all = false
    @Flag(
        inversion: .prefixedNo,
        help: "Also sign the browser out at the issuer; the default on a terminal.")
    var browser: Bool?
    @Flag(help: "Destroy the session here without notifying the issuer.") var localOnly = false
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard names.isEmpty == all else { throw ValidationError("name sessions, or give --all") }
        guard !(localOnly && browser == true) else {
            throw ValidationError("--local-only tells the issuer nothing, and --browser does")
        }
    }

    func run() async throws {
        let context = try Context(options)
        let wantsPages = browser ?? (context.terminal.isInteractive && !localOnly)
        try await context.with(.sessionsAtHand) { sessions in
            let (chosen, kept) = try await chosen(of: sessions)
            if !yes, !chosen.isEmpty, context.terminal.isInteractive {
                let grants = try await sessions.perform(SessionVerbs.grants).grants
                let sites = try await sessions.perform(SiteVerbs.sites).sites
                let question = Question.signOut(of: chosen, grants, sites, localOnly: localOnly)
                try context.prompts.demand(question, isGiven: yes, .onTerminal)
            }
            var ended: [EndedSessionPayload.Content] = []
            var firstFailure: Failure?
            // Prints the sessions that were ended in any case.
            countersign_interrupts_hold(1)
            defer { countersign_interrupts_hold(0) }
            for session in chosen {
                if countersign_interrupted() != 0 {
                    firstFailure = firstFailure ?? .cancelled
                    break
                }
                do {
                    let options = SignOutOptions(localOnly: localOnly, browser: wantsPages)
                    let answer = try await Terminal.saying(
                        localOnly ? "Signing out of \(session.name)" : "Telling the issuer of \(session.name)"
                    ) {
                        try await sessions.perform(SessionVerbs.signOut, on: session.name, options)
                    }
                    ended.append(answer.signedOut)
                } catch {
                    let failure = Failure(error)
                    guard chosen.count > 1 else { throw failure }
                    firstFailure = firstFailure ?? failure
                    Terminal.say(failure)
                }
            }
            if let firstFailure, ended.isEmpty { throw ExitCode(firstFailure.exitCode) }
            // Report the ended sessions even if no page can be opened.
            let opened = wantsPages ? (try? await openPages(of: ended, sessions)) ?? [] : []
            try options.render(SignedOutPayload(ended, opened: opened, kept: kept))
            // A failure to settle other sessions does not undo this logout.
            if !localOnly { try? await sessions.settle() }
            if let firstFailure { throw ExitCode(firstFailure.exitCode) }
        }
    }

    /// The sessions that the person named, each once. With `--all`, every session except those marked to keep, and the names of
    /// these.
    private func chosen(
        of sessions: Carrier<any SessionHost>
    ) async throws -> (chosen: [SessionPayload], kept: [String]) {
        if all {
            let found = try await sessions.perform(SessionVerbs.sessions).sessions
            return (found.filter { !$0.keep }, found.filter(\.keep).map(\.name))
        }
        var chosen: [SessionPayload] = []
        for name in names {
            let options = ShowOptions(refresh: false)
            let session = try await sessions.perform(SessionVerbs.show, on: name, options).session
            if !chosen.contains(where: { $0.name == session.name }) { chosen.append(session) }
        }
        return (chosen, [])
    }

    /// Opens the pages that sign the browser out. Returns the names of the sessions whose page was opened.
    private func openPages(
        of ended: [EndedSessionPayload.Content], _ sessions: Carrier<any SessionHost>
    ) async throws -> Set<String> {
        let isWished = browser == true
        let staying = isWished ? [] : try await sessions.perform(SessionVerbs.sessions).sessions
        var (browsers, opened): ([(name: String, bare: PageAddress, browser: LedBrowser)], Set<String>) = ([], [])
        for (name, page) in EndedSessionPayload.pages(of: ended, staying: staying, isWished: isWished) {
            let (bare, browser) = (try PageAddress(page.bare), LedBrowser())
            if (try? await browser.open(PageAddress(page.address))) == true {
                browsers.append((name, bare, browser))
            } else {
                Self.tell(bare)
                await browser.close()
            }
        }
        if !browsers.isEmpty {
            Terminal.say("Opening your browser, so that it is signed out, too (ctrl-c ends the wait for it) …")
        }
        let end = ContinuousClock.now + LedBrowser.patience
        for (name, bare, browser) in browsers {
            if await browser.hasCome(before: end, unless: { countersign_interrupted() != 0 }) {
                opened.insert(name)
            } else {
                Self.tell(bare)
            }
            await browser.close()
        }
        if isWished {
            for session in ended where session.page == nil {
                Terminal.say("The issuer of \(session.name) has no page that signs a browser out.")
            }
        }
        return opened
    }

    private static func tell(_ page: PageAddress) {
        Terminal.say("To sign your browser out of it, visit")
        Terminal.say(address: DisplayText(page.text).line)
    }
}
