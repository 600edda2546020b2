internal import Glibc

/// The program that a process belongs to: what holds for all its processes, found in `/proc`.
///
/// It tells honest programs apart, and sandboxed ones by force. It is no wall: a program of the same user can start another one.
public struct PeerProgram: Sendable, Equatable {
    public enum Kind: String, Sendable {
        /// A sandbox, by its package's id.
        case flatpak, snap
        /// A desktop application, by its id.
        case app
        /// A service of the user's manager, by its unit.
        case unit
        /// An executable file or a script, by its real path.
        case path, script
    }

    public var kind: Kind
    /// Comes from the program and is untrusted.
    public var name: String
    /// Whether this user may write to the folder of the file, so that any program of this user could change it.
    public var isChangeable: Bool

    /// The first that fits: the sandbox, the desktop application, the unit, the executable or script.
    ///
    /// For our own program this is the executable of its nearest ancestor that is neither our own, nor a shell or another program
    /// that only starts programs. Nil when the process has ended, its program cannot be told, or it became another one meanwhile.
    ///
    /// - Parameters:
    ///   - isOwn: whether the process is our own program, which hides its files from others.
    ///   - root: where the kernel's process information is.
    ///   - meanwhile: runs between the first look and the second.
    package init?(
        of pid: Int32, uid: UInt32, isOwn: Bool, root: String = "/proc", meanwhile: () -> Void = {}
    ) {
        let proc = Processes(root: root)
        guard let before = ProcessMark(of: pid, root: root), let found = Self.find(pid, uid, isOwn, proc) else {
            return nil
        }
        meanwhile()
        // Look a second time, since an ancestor may have ended, too. If the pid was used again, or the process runs another file by
        // now, the first look does not tell who asked.
        guard Self.find(pid, uid, isOwn, proc) == found, ProcessMark(of: pid, root: root) == before else { return nil }
        self = found
    }

    /// The program that an executable file or a script is. `file`: its real path.
    public init(file: String, isScript: Bool = false) {
        self.init(isScript ? .script : .path, file, isChangeable: RealPath.isInWritableFolder(file))
    }

    package init(_ kind: Kind, _ name: String, isChangeable: Bool = false) {
        self.kind = kind
        self.name = name
        self.isChangeable = isChangeable
    }

    private static func find(_ pid: Int32, _ uid: UInt32, _ isOwn: Bool, _ proc: Processes) -> PeerProgram? {
        let unit = proc.userUnit(pid, uid)
        if let id = proc.flatpak(pid) { return PeerProgram(.flatpak, id) }
        if let name = proc.snap(pid) { return PeerProgram(.snap, name) }
        if let id = unit.flatMap(DesktopUnit.flatpakID) { return PeerProgram(.flatpak, id) }
        // A process that hides its files may hide that it runs in a sandbox.
        guard isOwn || !proc.hidesRoot(pid) else { return nil }
        if let unit {
            if let id = DesktopUnit.applicationID(unit) {
                // A program in a terminal's window is identified by its own file.
                if !DesktopUnit.isTerminalEmulator(id) { return PeerProgram(.app, id) }
            } else if unit.hasSuffix(".service") {
                return PeerProgram(.unit, unit)
            }
        }
        guard isOwn else { return proc.file(of: pid) }
        var next = proc.status(pid)?.parent ?? 0
        // The walk ends at process 1, or at a process that has ended meanwhile.
        while next > 1, let status = proc.status(next) {
            // A service manager or a terminal may have started any program.
            if Launchers.ofAnything.contains(status.name) { return nil }
            if status.name != "countersign", !Launchers.names.contains(status.name) { return proc.file(of: next) }
            next = status.parent
        }
        return nil
    }
}

/// Programs that only start others, by their names.
private enum Launchers {
    static let names: Set<String> = [
        "sh", "bash", "dash", "zsh", "fish", "ksh", "mksh", "busybox", "env", "sudo", "xargs", "timeout", "nice",
        "nohup",
        "setsid", "git", "git-remote-http", "git-remote-https", "git-remote-ftp",
    ]
    /// Programs that start whatever a person wants. The kernel keeps 15 letters of a name.
    static let ofAnything: Set<String> = [
        "systemd", "init", "cron", "crond", "atd", "sshd", "login", "su", "gnome-shell", "gnome-session-b",
        "gnome-terminal-",
        "kgx", "ptyxis", "ptyxis-agent", "konsole", "plasmashell", "ksmserver", "xfce4-session", "xfce4-panel",
        "xfce4-terminal",
        "xterm", "alacritty", "kitty", "foot", "wezterm-gui", "ghostty", "sway", "tmux: server", "screen",
    ]
}

/// What `/proc` tells of processes.
private struct Processes {
    let root: String

    func status(_ pid: Int32) -> ProcessStatus? {
        guard pid > 0 else { return nil }
        return ProcessFile.contents("\(root)/\(pid)/stat").flatMap(ProcessStatus.init(_:))
    }

    /// The application's id in the file that Flatpak puts into each of its sandboxes (flatpak-metadata(5)).
    func flatpak(_ pid: Int32) -> String? {
        guard let text = text(pid, "root/.flatpak-info") else { return nil }
        var isApplication = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") { isApplication = line == "[Application]" }
            if isApplication, line.hasPrefix("name=") { return String(line.dropFirst(5)) }
        }
        return nil
    }

    /// Whether the process hides its files, as a process that may not be dumped does.
    func hidesRoot(_ pid: Int32) -> Bool {
        access("\(root)/\(pid)/root/.", F_OK) != 0 && errno == EACCES
    }

    /// The package in the security label that snapd gives: `snap.PACKAGE.APP (enforce)`.
    func snap(_ pid: Int32) -> String? {
        guard let label = text(pid, "attr/current"), label.hasPrefix("snap.") else { return nil }
        let parts = label.split(separator: ".")
        return parts.count > 2 ? String(parts[1]) : nil
    }

    /// The innermost unit of the user's own manager (cgroup v2, cgroups(7)); nil outside of it.
    func userUnit(_ pid: Int32, _ uid: UInt32) -> String? {
        guard let line = text(pid, "cgroup")?.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
            return nil
        }
        let steps = line.dropFirst(4).split(separator: "/")
        guard let manager = steps.firstIndex(of: "user@\(uid).service") else { return nil }
        return steps[(manager + 1)...].last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }.map(String.init)
    }

    /// The file that a process runs, or the script that an interpreter runs. Nil for an interpreter whose script cannot be told.
    func file(of pid: Int32) -> PeerProgram? {
        guard let file = executable(of: pid) else { return nil }
        guard let interpreter = Interpreter(file: file) else { return PeerProgram(file: file) }
        return interpreter.script(in: words(of: pid)).flatMap(RealPath.ofScript).map {
            PeerProgram(file: $0, isScript: true)
        }
    }

    /// The command line.
    private func words(of pid: Int32) -> [String] {
        guard let bytes = ProcessFile.contents("\(root)/\(pid)/cmdline") else { return [] }
        // Each word is ended by a zero. An empty one counts, too.
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func executable(of pid: Int32) -> String? {
        guard let path = ProcessFile.link("\(root)/\(pid)/exe") else { return nil }
        // The kernel appends this when the file was replaced, such as by an upgrade.
        return path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path
    }

    private func text(_ pid: Int32, _ name: String) -> String? {
        ProcessFile.contents("\(root)/\(pid)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }
}

private enum RealPath {
    /// Nil when no file is there.
    static func ofScript(_ path: String) -> String? {
        // These paths may name another file in each process, so this process cannot follow them.
        let isOfProcess: (String) -> Bool = { $0.hasPrefix("/proc/") || $0.hasPrefix("/dev/") }
        guard !isOfProcess(path), let resolved = realpath(path, nil) else { return nil }
        // realpath allocated it for us to free.
        defer { free(resolved) }
        var found = stat()
        // Writes to the struct during the call.
        guard stat(resolved, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
        let real = String(cString: resolved)
        return isOfProcess(real) ? nil : real
    }

    static func isInWritableFolder(_ file: String) -> Bool {
        guard let slash = file.lastIndex(of: "/") else { return false }
        let folder = slash == file.startIndex ? "/" : String(file[..<slash])
        return access(folder, W_OK) == 0 || access(file, W_OK) == 0
    }
}

/// The names that desktops give to the units of applications (systemd's DESKTOP_ENVIRONMENTS.md): `app-LAUNCHER-ID-RANDOM.scope` and
/// `app-LAUNCHER-ID@RANDOM.service`, where the launcher may be missing.
package enum DesktopUnit {
    /// Nil for any other unit.
    package static func applicationID(_ unit: String) -> String? {
        guard unit.hasPrefix("app-") else { return nil }
        var rest = Substring(unit.dropFirst(4))
        if rest.hasSuffix(".scope") {
            guard let dash = rest.lastIndex(of: "-") else { return nil }
            rest = rest[..<dash]
        } else if rest.hasSuffix(".service") {
            rest = rest.dropLast(8)
            if let at = rest.firstIndex(of: "@") { rest = rest[..<at] }
        } else {
            return nil
        }
        guard let id = rest.split(separator: "-").last, !id.isEmpty else { return nil }
        return unescaped(id)
    }

    /// The application's id in the unit in which Flatpak runs it: `app-flatpak-ID-RANDOM.scope`.
    package static func flatpakID(_ unit: String) -> String? {
        unit.hasPrefix("app-flatpak-") ? applicationID(unit) : nil
    }

    package static func isTerminalEmulator(_ id: String) -> Bool {
        let name = id.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return terminals.contains(name)
    }

    private static let terminals: Set<String> = [
        "terminal", "konsole", "xterm", "alacritty", "kitty", "foot", "footclient", "wezterm", "console", "ptyxis",
        "ghostty",
        "terminator", "tilix", "lxterminal", "qterminal", "guake", "yakuake", "terminology", "rxvt", "urxvt", "mlterm",
        "st", "contour", "blackbox",
    ]

    /// systemd writes a dash within an id as `\x2d`.
    private static func unescaped(_ text: Substring) -> String {
        var result: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\\"), bytes.first == UInt8(ascii: "x"), bytes.count > 2,
                let value = UInt8(String(decoding: bytes.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                bytes = bytes.dropFirst(3)
                result.append(value)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
