import Basics
import FoundationEssentials
import Keys
import Pinentry

/// The keyrings of this machine, by which a person brings back one that was killed.
///
/// Several may be installed, and another one than before has none of the keys. So those come first that have files of this
/// person.
struct InstalledKeyrings {
    private let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    private static let programs: [(keyring: Keyring, program: String, command: String)] = [
        (.kwallet, "kwalletd6", "kwalletd6 &"), (.kwallet, "kwalletd5", "kwalletd5 &"),
        (.keepassxc, "keepassxc", "keepassxc &"),
        (.gnomeKeyring, "gnome-keyring-daemon", "gnome-keyring-daemon --start --components=secrets"),
    ]

    private var installed: [(keyring: Keyring, program: String, command: String)] {
        Self.programs.filter { Pinentry.find($0.program, environment: environment) != nil }
    }

    /// The next step where no keyring answers.
    var hint: String {
        let installed = installed
        let used = installed.filter { hasFiles(of: $0.keyring) }
        let ways = (used.isEmpty ? installed : used).map { "of \($0.keyring.name): \($0.command)" }
        return ways.isEmpty
            ? "install a keyring, then log in again: apt install gnome-keyring"
            : "start the keyring that has your keys again, and unlock it; \(ways.joined(separator: "; "))"
    }

    /// The next step where the keyring that answers has none of the items; nil if no other keyring was used.
    func hint(insteadOf answering: Keyring) -> String? {
        let others = installed.filter { $0.keyring != answering && hasFiles(of: $0.keyring) }
        let ways = others.map { "of \($0.keyring.name): \($0.command)" }.joined(separator: "; ")
        return others.isEmpty
            ? nil : "\(answering.name) answers now; end it, and start the keyring that has your keys; \(ways)"
    }

    private func hasFiles(of keyring: Keyring) -> Bool {
        switch keyring {
        case .kwallet: has(".kwl", in: folder("XDG_DATA_HOME", ".local/share") + "/kwalletd")
        case .gnomeKeyring: has(".keyring", in: folder("XDG_DATA_HOME", ".local/share") + "/keyrings")
        case .keepassxc: servesSecrets(folder("XDG_CONFIG_HOME", ".config") + "/keepassxc/keepassxc.ini")
        case .other: false
        }
    }

    private func has(_ ending: String, in directory: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: directory))?.contains { $0.hasSuffix(ending) } == true
    }

    /// Whether KeePassXC's settings say that it is a Secret Service.
    private func servesSecrets(_ settings: String) -> Bool {
        guard let text = try? String(contentsOfFile: settings, encoding: .utf8) else { return false }
        let lines = text.split(separator: "\n").drop { $0 != "[FdoSecrets]" }.dropFirst()
        return lines.prefix { !$0.hasPrefix("[") }.contains("Enabled=true")
    }

    private func folder(_ variable: String, _ usual: String) -> String {
        environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(environment["HOME"] ?? "")/\(usual)"
    }
}
