import Client
import Agent
import Approvals
import ApprovalModel
import SessionModel

extension Settings {
    /// Parses the settings. Throws `SettingsError`.
    init(toml bytes: [UInt8]) throws {
        self = try SettingsTable.read(bytes) { try Settings($0) }
    }

    private init(_ root: SettingsTable) throws {
        self.init()
        try root.check(for: [
            "agent", "ca_file", "geolocation", "pin_prompt", "pinentry", "platform", "return_url", "schemes",
            "sessions",
            "tiqr", "watch",
        ])
        platform =
            try root.value("platform", "a text of 1 to 32 characters") { value in
                value.string.flatMap { (1...32).contains($0.utf8.count) ? $0 : nil }
            } ?? platform
        schemes =
            try root.value("schemes", "a list of texts") { value in
                let texts = value.array?.map { $0.string ?? "" } ?? []
                return texts.isEmpty || texts.contains("") ? nil : texts.map { $0.lowercased() }
            } ?? schemes
        returnURL =
            try root.value("return_url", "an address with a scheme") { value in
                value.string.flatMap { $0.firstRange(of: "://") != nil ? $0 : nil }
            } ?? returnURL
        pinPrompt =
            try root.value("pin_prompt", "\"auto\", \"pinentry\" or \"terminal\"") {
                $0.string.flatMap(PINPrompt.init)
            } ?? pinPrompt
        pinentry =
            try root.value("pinentry", "a path that begins with /") { value in
                value.string.flatMap { $0.hasPrefix("/") ? $0 : nil }
            } ?? pinentry
        caFile = try root.value("ca_file", "a path that begins with /") { value in
            value.string.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        if let places = try root.table("geolocation", "a table of connection names") {
            for name in places.keys {
                geolocation[name] = try places.value(name, "\"LAT,LON\" in decimal degrees") {
                    $0.string.flatMap(Geolocation.init)
                }
            }
        }
        if let table = try root.table("agent", "a table") { agent = try Agent(table) }
        if let table = try root.table("tiqr", "a table") { tiqr = try Tiqr(table) }
        if let table = try root.table("sessions", "a table") {
            try table.check(for: ["idle_minutes", "languages", "sign_out", "sign_out_on", "terminal_needs_grant"])
            languages = try table.value(
                "languages", "a list of at most eight language tags, such as [\"de-AT\", \"de\"]"
            ) {
                value in
                value.array.flatMap { LanguageTags($0.map { $0.string ?? "" }) }
            }
            signOut =
                try table.value("sign_out", "a time such as \"8h\", a time of day such as \"18:00\", or \"never\"") {
                    $0.string.flatMap { SignOutRule($0) }
                } ?? signOut
            signOutEvents =
                try table.value("sign_out_on", "a list of \"logout\", \"sleep\" and \"screen_lock\"") { value in
                    guard let texts = value.array?.map({ $0.string ?? "" }) else { return nil }
                    let events = texts.compactMap(SignOutEvent.init)
                    return events.count == texts.count ? Set(events) : nil
                } ?? signOutEvents
            terminalNeedsGrant = try table.flag("terminal_needs_grant") ?? terminalNeedsGrant
            sessionsIdle = .seconds(60 * (try table.number("idle_minutes", of: "minutes", in: 1...720) ?? 60))
        }
        if let table = try root.table("watch", "a table") {
            try table.check(for: ["bell"])
            bell = try table.flag("bell") ?? bell
        }
    }
}

extension Settings.Tiqr {
    fileprivate init(_ table: SettingsTable) throws {
        try table.check(for: ["auth_schemes", "eduid_hosts", "enroll_schemes", "link_hosts", "oldest_version"])
        func texts(_ name: String) throws -> [String]? { try table.texts(name)?.map { $0.lowercased() } }
        enrollSchemes = try texts("enroll_schemes") ?? []
        authSchemes = try texts("auth_schemes") ?? []
        linkHosts = try texts("link_hosts") ?? []
        eduIDHosts = try texts("eduid_hosts")
        oldestVersion = try table.number("oldest_version", of: "version", in: 1...2) ?? 1
    }
}

extension Settings.Agent {
    fileprivate init(_ table: SettingsTable) throws {
        try table.check(for: [
            "idle_minutes", "longest_hours", "note_when_shut", "notifications", "poll_fastest", "poll_slowest",
            "poll_while_locked",
        ])
        let fastest = try table.number("poll_fastest", of: "seconds", in: 1...60) ?? 3
        let slowest = try table.number("poll_slowest", of: "seconds", in: fastest...600) ?? 30
        pace = PollSchedule.Pace(fastest: .seconds(fastest), slowest: .seconds(slowest))
        limits = UnlockMachine.Limits(
            // At most five minutes: RTS Art. 4(3)(d).
            idle: .seconds(60 * (try table.number("idle_minutes", of: "minutes", in: 1...5) ?? 5)),
            longest: .seconds(3600 * (try table.number("longest_hours", of: "hours", in: 1...12) ?? 12)),
            pollsWhileLocked: try table.flag("poll_while_locked") ?? true)
        notifications = try table.flag("notifications") ?? true
        noteWhenShut = try table.flag("note_when_shut") ?? true
    }
}
