import Client
import ArgumentParser
import Basics
import SessionModel
import Sessions

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List where you are signed in; show, rename and change sessions.",
        usage: "countersign sessions [<subcommand>]",
        discussion: "  countersign sessions\n  countersign sessions show fern",
        subcommands: [ListSessions.self, ShowSession.self, RenameSession.self, SetSession.self],
        defaultSubcommand: ListSessions.self)
}

struct ShowSession: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all details of a session except its secrets.",
        usage: "countersign sessions show <name> [--refresh] [<options>]",
        discussion: "  countersign sessions show fern")

    @Argument(help: "The session's name, or its issuer.") var name: String
    @Flag(help: "Ask the issuer for your name and address now.") var refresh = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).with(.sessionsAtHand) { sessions in
            let details = try await sessions.perform(SessionVerbs.show, on: name, ShowOptions(refresh: refresh))
            let grants = details.grants.isEmpty ? [] : try await sessions.perform(SessionVerbs.grants).grants
            let sites = details.sites.isEmpty ? [] : try await sessions.perform(SiteVerbs.sites).sites
            try options.render(ShownSession(details, grants, sites))
        }
    }
}

struct RenameSession: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a session another name.",
        usage: "countersign sessions rename <name> <new> [<options>]",
        discussion: "  countersign sessions rename issuer fern")

    @Argument(help: "The session's name, or its issuer.") var name: String
    @Argument(help: "The new name: a-z, 0-9 and -, at most 32 characters.") var new: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        guard let new = SessionName(new) else { throw Failure.badSessionName }
        try await Context(options).with(.sessionsAtHand) { sessions in
            let renamed = try await sessions.perform(SessionVerbs.rename, on: name, SessionChange(name: new))
            try options.render(RenamedSession(renamed.session))
        }
    }
}
