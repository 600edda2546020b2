import FoundationEssentials
import Glibc
import Pinentry
import ApprovalModel

/// Which program locks this desktop's screen, and whether the agent learns of it (see the table in
/// countersign-agent(7)).
struct ScreenLockers {
    /// The desktop's names, from `XDG_CURRENT_DESKTOP`, in lower case.
    var desktops: Set<String>
    /// The running programs of this user, by the first 15 bytes of their names.
    var programs: Set<String>
    /// The arguments and configuration of `swayidle`, if it runs.
    var swayidle: String?

    /// Lockers that signal on the session bus or to logind when they lock.
    private static let heard = [
        "xss-lock", "light-locker", "mate-screensave", "xfce4-screensav", "cinnamon-screen", "gnome-screensav",
    ]
    /// Lockers that send no signal.
    private static let silent = [
        "xscreensaver", "xautolock", "i3lock", "swaylock", "slock", "xsecurelock", "xlock", "xtrlock", "gtklock",
        "waylock", "hyprlock",
    ]
    /// Desktops whose shell locks the screen itself and sends a signal.
    private static let shells = ["gnome", "kde", "x-cinnamon", "cinnamon", "unity", "pantheon", "budgie"]
    private static let wayToTell = "lock the screen with: loginctl lock-session; or run countersign lock before it"

    enum Verdict: Equatable {
        /// The agent hears of locks; the text names the sender of the signal.
        case heard(String)
        /// The agent does not hear of locks; the text says why, and `hint` is the next step.
        case unheard(String, hint: String)
    }

    var verdict: Verdict {
        // xscreensaver also runs beside a desktop's own locker, so it is judged first.
        if programs.contains("xscreensaver") {
            return .unheard(
                "xscreensaver locks the screen and tells nobody",
                hint: "xscreensaver-command -watch can call countersign lock: see man countersign-agent")
        }
        if let program = Self.heard.first(where: programs.contains) {
            return .heard("\(program)\(program.utf8.count == 15 ? "…" : "") tells when it locks the screen")
        }
        if let swayidle {
            // logind reports both.
            if ["lock-session", "idlehint"].contains(where: { swayidle.firstRange(of: $0) != nil }) {
                return .heard("swayidle tells by logind when the screen is locked")
            }
            return .unheard(
                "swayidle locks the screen, and tells nobody",
                hint:
                    "swayidle timeout 300 'loginctl lock-session' lock 'swaylock -f': see man countersign-agent"
            )
        }
        if let desktop = Self.shells.first(where: desktops.contains) {
            return .heard("\(desktop) tells when it locks the screen")
        }
        let silent = Self.silent.first(where: programs.contains).map { "\($0) locks the screen and tells nobody" }
        return .unheard(silent ?? "no program runs that tells when it locks the screen", hint: Self.wayToTell)
    }

    /// The lockers of the desktop with this environment; nil if it has no display.
    static func found(_ environment: [String: String]) -> ScreenLockers? {
        guard Pinentry.hasDisplay(environment) else { return nil }
        var lockers = ScreenLockers(
            desktops: Set(
                (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":").map(String.init)),
            programs: [])
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] where Int32(name) != nil {
            var found = stat()
            guard stat("/proc/\(name)", &found) == 0, found.st_uid == geteuid(),
                let program = text(of: "/proc/\(name)/comm")?.split(separator: "\n").first.map(String.init)
            else { continue }
            lockers.programs.insert(program)
            if program == "swayidle" {
                let file =
                    (environment["XDG_CONFIG_HOME"] ?? (environment["HOME"] ?? "") + "/.config") + "/swayidle/config"
                lockers.swayidle = (text(of: "/proc/\(name)/cmdline") ?? "") + (text(of: file) ?? "")
            }
        }
        return lockers
    }

    /// Reads to the end, because files of procfs report a size of zero.
    private static func text(of path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
}
