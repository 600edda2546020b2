internal import Glibc

/// The program that a process belongs to: a name that fits all its processes, found in `/proc`.
///
/// It keeps honest programs apart. It is no wall between programs of one user: such a program can start another one,
/// have the user's service manager start it under any unit's name (`systemd-run --user`), or make a sandbox whose files
/// say anything (`bwrap --ro-bind FILE /.flatpak-info`). So the id of a sandbox counts only if a privileged party
/// vouches for it: Snap's security label, which the kernel keeps. Nobody privileged vouches for Flatpak's.
package struct PeerProgram: Sendable, Equatable {
    package enum Kind: String, Sendable {
        /// A Snap package, by the name in its security label. The kernel confines every process with the label, so even
        /// a program of the same user that takes it on is then confined like the package.
        case snap
        /// A sandbox whose name no privileged party vouches for, like Flatpak's. No grant fits it.
        case sandbox
        /// A desktop application, by its id.
        case app
        /// A service of the user's manager, by its unit.
        case unit
        /// An executable file or a script, by its real path.
        case path, script
    }

    package var kind: Kind
    /// Comes from the program and is untrusted.
    package var name: String
    /// Whether this user may write to the folder of the file, so that any program of this user could change it.
    package var isChangeable: Bool

    /// The first that fits: the sandbox, the desktop application, the unit, the executable or script.
    ///
    /// For our own program this is the executable of its nearest ancestor that is neither our own, nor a shell or
    /// another program that only starts programs. Nil when the process has ended, its program is not known, or it
    /// became another one meanwhile.
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
        // Look a second time, since an ancestor may have ended, too. If the pid was used again, or the process runs
        // another file by now, the first look does not identify the caller.
        guard Self.find(pid, uid, isOwn, proc) == found, ProcessMark(of: pid, root: root) == before else { return nil }
        self = found
    }

    /// The program that an executable file or a script is. `file`: its real path.
    package init(file: String, isScript: Bool = false) {
        self.init(isScript ? .script : .path, file, isChangeable: RealPath.isInWritableFolder(file))
    }

    package init(_ kind: Kind, _ name: String, isChangeable: Bool = false) {
        self.kind = kind
        self.name = name
        self.isChangeable = isChangeable
    }

    private static func find(_ pid: Int32, _ uid: UInt32, _ isOwn: Bool, _ proc: Processes) -> PeerProgram? {
        let unit = proc.userUnit(pid, uid)
        let label = proc.snapLabel(pid)
        if case .package(let name)? = label { return PeerProgram(.snap, name) }
        if label != nil || proc.isInFlatpak(pid, isOwn) || unit.map(DesktopUnit.isOfFlatpak) == true {
            return PeerProgram(.sandbox, "")
        }
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
    /// Programs that start any program for a person. The kernel keeps 15 letters of a name.
    static let ofAnything: Set<String> = [
        "systemd", "init", "cron", "crond", "atd", "sshd", "login", "su", "gnome-shell", "gnome-session-b",
        "gnome-terminal-",
        "kgx", "ptyxis", "ptyxis-agent", "konsole", "plasmashell", "ksmserver", "xfce4-session", "xfce4-panel",
        "xfce4-terminal",
        "xterm", "alacritty", "kitty", "foot", "wezterm-gui", "ghostty", "sway", "tmux: server", "screen",
    ]
}

/// Facts about processes in `/proc`.
private struct Processes {
    let root: String

    func status(_ pid: Int32) -> ProcessStatus? {
        guard pid > 0 else { return nil }
        return ProcessFile.contents("\(root)/\(pid)/stat").flatMap(ProcessStatus.init(_:))
    }

    /// Whether there is the file that Flatpak puts into each of its sandboxes (flatpak-metadata(5)). Anybody can write one into a
    /// sandbox of their own, so it says that the process is in a sandbox, but not in whose.
    ///
    /// - Parameter isOwn: whether the process is our own program, which hides its files. Then its ancestors decide: all
    ///   processes of a sandbox descend from its first one.
    func isInFlatpak(_ pid: Int32, _ isOwn: Bool) -> Bool {
        var next = pid
        repeat {
            var found = stat()
            // Writes to the struct during the call.
            if lstat("\(root)/\(next)/root/.flatpak-info", &found) == 0 { return true }
            next = isOwn ? status(next)?.parent ?? 0 : 0
        } while next > 1
        return false
    }

    /// Whether the process hides its files, as a process that may not be dumped does.
    func hidesRoot(_ pid: Int32) -> Bool {
        access("\(root)/\(pid)/root/.", F_OK) != 0 && errno == EACCES
    }

    /// Nil for a process that no label of Snap confines.
    func snapLabel(_ pid: Int32) -> SnapLabel? { text(pid, "attr/current").flatMap(SnapLabel.init(_:)) }

    /// The innermost unit of the user's own manager (cgroup v2, cgroups(7)); nil outside of it.
    func userUnit(_ pid: Int32, _ uid: UInt32) -> String? {
        guard let line = text(pid, "cgroup")?.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
            return nil
        }
        let steps = line.dropFirst(4).split(separator: "/")
        guard let manager = steps.firstIndex(of: "user@\(uid).service") else { return nil }
        return steps[(manager + 1)...].last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }.map(String.init)
    }

    /// The file that a process runs, or the script that an interpreter runs. Nil for an interpreter without a known
    /// script, and where the file's path leads us to another file than the process.
    func file(of pid: Int32) -> PeerProgram? {
        guard let file = executable(of: pid) else { return nil }
        guard let interpreter = Interpreter(file: file) else { return PeerProgram(file: file) }
        // The interpreter opened the script among its own files.
        guard sharesMounts(pid) else { return nil }
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
        let link = "\(root)/\(pid)/exe"
        guard let path = ProcessFile.link(link) else { return nil }
        guard sharesMounts(pid) else {
            // In a mount namespace of its own a user can put any file at any path.
            guard let file = SocketFile(following: link), SocketFile(following: path)?.identity == file.identity else {
                return nil
            }
            return path
        }
        // The kernel appends this when the file was replaced, such as by an upgrade.
        return path.hasSuffix(" (deleted)") ? String(path.dropLast(10)) : path
    }

    /// Whether a path leads the process to the same file as us (mount_namespaces(7)).
    private func sharesMounts(_ pid: Int32) -> Bool {
        guard let theirs = ProcessFile.link("\(root)/\(pid)/ns/mnt") else { return false }
        return theirs == ProcessFile.link("\(root)/self/ns/mnt")
    }

    private func text(_ pid: Int32, _ name: String) -> String? {
        ProcessFile.contents("\(root)/\(pid)/\(name)").map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The security label that snapd gives to the programs of a package, as the kernel shows it: `snap.PACKAGE.APP (enforce)`.
private enum SnapLabel: Equatable {
    case package(String)
    /// A label that is not the package's alone, for example two stacked labels: an unknown sandbox.
    case other

    /// Nil for a label of other software, and for a label in complain mode, which confines nothing.
    init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let label = words.first, label.hasPrefix("snap."), words.last != "(complain)" else { return nil }
        let parts = label.split(separator: ".", omittingEmptySubsequences: false)
        guard words.count == 2, words[1] == "(enforce)", parts.count > 2, !parts[1].isEmpty, !label.contains("/") else {
            self = .other
            return
        }
        self = .package(String(parts[1]))
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

/// The names that desktops give to the units of applications (systemd's page on desktop environments): `app-LAUNCHER-ID-RANDOM.scope` and
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

    /// Whether this is a unit of Flatpak's programs: `app-flatpak-ID-RANDOM.scope`.
    package static func isOfFlatpak(_ unit: String) -> Bool { unit.hasPrefix("app-flatpak-") }

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
