import Client
import Display
import LocalSocket
import Pinentry
import Records

extension DoctorCommand {
    private static let gitHelper = "git-credential-countersign"

    /// Whether git finds the helper that its configuration names. Nil if git does not name it and there is nothing to suggest: the
    /// helper is not installed, or no session has tokens to give.
    func helpers() -> Check? {
        let path = Pinentry.find(Self.gitHelper, environment: Environment.all)
        guard let asked = Self.helpersOfGit().first(where: Self.isOurs) else {
            guard let path, hasSessions else { return nil }
            return Check(
                name: "git-helper", ok: true,
                message: "\(path) is there; git is not told to ask it (see countersign-sessions(7))", hint: nil)
        }
        let isByPath = asked.hasPrefix("/")
        guard let found = isByPath ? Pinentry.find(asked, environment: [:]) : path else {
            let own = (OwnFiles.entry ?? OwnFiles.running).map { DisplayText($0).line } ?? "countersign"
            let missing = DisplayText(isByPath ? asked : Self.gitHelper).line
            let place = isByPath ? "there" : "in PATH"
            return Check(
                name: "git-helper", ok: false, message: "git is told to ask \(missing), which is not \(place)",
                hint: "ln -s \(own) ~/.local/bin/\(Self.gitHelper), or mend credential.helper")
        }
        let shown = DisplayText(found).line
        guard OwnFiles.lead(from: found) else {
            return Check(
                name: "git-helper", ok: true, message: "git asks \(shown), which is another program than this one",
                hint: nil, isNote: true)
        }
        return Check(name: "git-helper", ok: true, message: "git asks \(shown)", hint: nil)
    }

    private var hasSessions: Bool {
        ((try? SealedSessions.counts(in: context().database).sessions) ?? 0) > 0
    }

    /// The helpers that git's configuration names, without their arguments. Leaves out shell commands, which begin with `!`.
    private static func helpersOfGit() -> [String] {
        let arguments = ["config", "-z", "--get-regexp", #"^credential\.(.*\.)?helper$"#]
        guard case .bytes(let bytes) = ProgramOutput.of("git", arguments, most: 65536) else { return [] }
        return bytes.split(separator: 0).compactMap { entry in
            // The name, a line feed, and the value.
            let value = String(decoding: entry.drop { $0 != 10 }.dropFirst(), as: UTF8.self)
            return value.hasPrefix("!") ? nil : value.split(separator: " ").first.map(String.init)
        }
    }

    /// git puts git-credential- before a name.
    private static func isOurs(_ helper: String) -> Bool {
        helper == "countersign" || (helper.hasPrefix("/") && helper.hasSuffix("/\(gitHelper)"))
    }
}
