import Client
import Agent
import Approvals
import Basics
import FoundationEssentials
import Glibc
import ApprovalModel
import SessionModel

/// The settings file, `$XDG_CONFIG_HOME/countersign/config.toml`. Every setting has a default, and the file is
/// optional; a faulty file is an error that names line and key.
struct Settings: Sendable {
    /// The platform that banks receive; their apps send `android` or `ios` (saltedge-v1 section 4.1).
    var platform = "android"
    /// The accepted link schemes; white-label banks have their own (saltedge-v1 section 2.5).
    var schemes = ["authenticator"]
    /// The return URL for `--callback paste` and `--callback scheme` (saltedge-v1 section 2.5).
    var returnURL = "authenticator://oauth/redirect"
    /// Where the PIN is asked for. `auto` uses a pinentry if there is a display but no terminal.
    var pinPrompt = PINPrompt.auto
    /// The pinentry's path, or a name to find in PATH.
    var pinentry = "pinentry"
    /// A PEM file of certificate authorities to trust in addition to the system's; `--ca-file` overrides it.
    var caFile: String?
    /// Positions by the connection's name, for banks that want one.
    var geolocation: [String: Geolocation] = [:]
    var agent = Agent()
    var tiqr = Tiqr()
    /// `idle_minutes` of the table `[sessions]`: how long an agent keeps sessions at hand without use.
    var sessionsIdle = Duration.seconds(3600)
    /// `languages`: those that an issuer's page is asked for in, best first. Nil: those of the locale.
    var languages: LanguageTags?
    /// `terminal_needs_grant`: whether tokens take a grant on the person's terminal, too.
    var terminalNeedsGrant = false
    /// `sign_out` of the table `[sessions]`: when sessions are signed out, counted from each login.
    var signOut = SignOutRule.never
    /// `sign_out_on`: the events that sign sessions out, too.
    var signOutEvents: Set<SignOutEvent> = []
    /// `bell` of the table `[watch]`: whether `watch` rings the terminal's bell when a request comes.
    var bell = true

    /// The table `[agent]`.
    struct Agent {
        /// `poll_fastest` and `poll_slowest`.
        var pace = PollSchedule.Pace()
        /// `idle_minutes`, `longest_hours` and `poll_while_locked`.
        var limits = UnlockMachine.Limits()
        /// Whether to show a desktop notification for each request.
        var notifications = true
        /// `note_when_shut`: whether a notification says that requests are missed while the agent is shut.
        var noteWhenShut = true
    }

    /// The table `[tiqr]`: links of sites' own apps, beside those of tiqr.org and eduID.
    struct Tiqr {
        /// `enroll_schemes` and `auth_schemes`, in lower case.
        var (enrollSchemes, authSchemes): ([String], [String]) = ([], [])
        /// `link_hosts`, of https links that are pasted.
        var linkHosts: [String] = []
        /// `eduid_hosts`: the hosts that links of eduID may lead to, and those below them, in place of eduID's own.
        var eduIDHosts: [String]?
        /// `oldest_version`: links of older ones are refused.
        var oldestVersion = 1
    }

    enum PINPrompt: String {
        case auto, pinentry, terminal
    }

    static func load() throws -> Settings {
        let path = path()
        // Most people have no such file, and Foundation takes long to find that out.
        if access(path, F_OK) != 0, errno == ENOENT { return Settings() }
        guard let data = FileManager.default.contents(atPath: path) else {
            guard !FileManager.default.fileExists(atPath: path) else {
                throw Failure.usage("\(path) cannot be read", hint: "every setting has a default, so it may be removed")
            }
            return Settings()
        }
        do {
            return try Settings(toml: [UInt8](data))
        } catch let error as SettingsError {
            throw Failure.usage(
                "\(path): \(error.text)", hint: "mend the file, or remove it: every setting has a default")
        }
    }

    static func path() -> String {
        let base = Environment.value("XDG_CONFIG_HOME") ?? (Environment.value("HOME") ?? "") + "/.config"
        return base + "/countersign/config.toml"
    }
}
