import Foundation
import LocalSocket
import Testing

/// Which program a process belongs to, told by a made-up `/proc`.
@Suite(.timeLimit(.minutes(1))) struct PeerProgramTests {
    /// A `/proc` with the processes that a test puts into it.
    final class Proc {
        let root = FileManager.default.temporaryDirectory.appending(path: "proc-\(UUID().uuidString)")
        private let files = FileManager.default

        deinit { try? files.removeItem(at: root) }

        func add(
            _ pid: Int, _ name: String, parent: Int = 1, exe: String? = nil, arguments: [String] = [],
            cgroup: String = "0::/init.scope", flatpak: String? = nil, label: String? = nil
        ) throws {
            let place = root.appending(path: "\(pid)")
            try files.createDirectory(at: place.appending(path: "root"), withIntermediateDirectories: true)
            try files.createDirectory(at: place.appending(path: "attr"), withIntermediateDirectories: true)
            func write(_ text: String, _ path: String) throws {
                try Data(text.utf8).write(to: place.appending(path: path))
            }
            let rest = Array(repeating: "0", count: 40).joined(separator: " ")
            try write("\(pid) (\(name)) S \(parent) 0 0 0 \(rest)", "stat")
            try write(cgroup + "\n", "cgroup")
            try write(arguments.map { $0 + "\0" }.joined(), "cmdline")
            if let flatpak { try write(flatpak, "root/.flatpak-info") }
            if let label { try write(label, "attr/current") }
            if let exe {
                try files.createSymbolicLink(atPath: place.appending(path: "exe").path, withDestinationPath: exe)
            }
        }

        func program(of pid: Int32, isOwn: Bool = false) -> PeerProgram? {
            PeerProgram(of: pid, uid: 1000, isOwn: isOwn, root: root.path)
        }
    }

    private static let user = "0::/user.slice/user-1000.slice/user@1000.service/"

    @Test(arguments: [
        ("app.slice/app-gnome-org.fern.Mail-4711.scope", PeerProgram.Kind.app, "org.fern.Mail"),
        ("app.slice/app-org.fern.Mail-4711.scope", .app, "org.fern.Mail"),
        ("app.slice/app-gnome-org.fern.Mail@a1b2.service", .app, "org.fern.Mail"),
        (#"app.slice/app-KDE-org.fern.two\x2dwords-7.scope"#, .app, "org.fern.two-words"),
        ("app.slice/backup.service", .unit, "backup.service"),
        ("app.slice/backup.service/inner", .unit, "backup.service"),
        // A terminal's window, another user's manager, the system's services.
        ("app.slice/app-gnome-org.gnome.Terminal-9.scope", .path, "/usr/bin/fern"),
        ("app.slice/app-org.kde.konsole-9.scope", .path, "/usr/bin/fern"),
        ("session.slice/vte-spawn-1.scope", .path, "/usr/bin/fern"),
        ("", .path, "/usr/bin/fern"),
    ]) func aUnitOfTheUsersManager(_ unit: String, _ kind: PeerProgram.Kind, _ name: String) throws {
        let proc = Proc()
        try proc.add(77, "fern", exe: "/usr/bin/fern", cgroup: Self.user + unit)
        let program = try #require(proc.program(of: 77))
        #expect(program.kind == kind && program.name == name)
    }

    @Test(arguments: [
        "0::/user.slice/user-1001.slice/user@1001.service/app.slice/backup.service", "0::/system.slice/cron.service",
        "1:name=systemd:/user@1000.service/backup.service",
    ]) func aUnitOfAnotherManagerIsNone(_ cgroup: String) throws {
        let proc = Proc()
        try proc.add(77, "fern", exe: "/usr/bin/fern", cgroup: cgroup)
        #expect(proc.program(of: 77)?.kind == .path)
    }

    @Test func aSandboxComesFirst() throws {
        let proc = Proc()
        let unit = Self.user + "app.slice/app-flatpak-org.fern.Mail-1.scope"
        try proc.add(
            77, "fern", exe: "/app/bin/fern", cgroup: unit,
            flatpak: "[Runtime]\nname=org.other\n[Application]\nname=org.fern.Mail\nruntime=x\n[Instance]\nname=no\n")
        #expect(proc.program(of: 77) == PeerProgram(.flatpak, "org.fern.Mail"))
        try proc.add(78, "fern", exe: "/snap/fern/1/bin/fern", cgroup: unit, label: "snap.fern.fern (enforce)\n")
        #expect(proc.program(of: 78) == PeerProgram(.snap, "fern"))
        // Without its information file, or with a pipe in its place, the unit tells.
        try proc.add(81, "fern", exe: "/app/bin/fern", cgroup: unit)
        #expect(mkfifo(proc.root.appending(path: "81/root/.flatpak-info").path, 0o600) == 0)
        #expect(proc.program(of: 81) == PeerProgram(.flatpak, "org.fern.Mail"))
        try proc.add(79, "fern", exe: "/usr/bin/fern", label: "unconfined\n")
        #expect(proc.program(of: 79)?.kind == .path)
    }

    /// Our own command asks for whoever runs it.
    @Test func whoRunsOurCommandIsAskedAbout() throws {
        let proc = Proc()
        try proc.add(70, "editor", parent: 1, exe: "/usr/bin/editor")
        try proc.add(71, "bash", parent: 70, exe: "/usr/bin/bash")
        try proc.add(72, "git", parent: 71, exe: "/usr/bin/git")
        try proc.add(73, "git-remote-http", parent: 72, exe: "/usr/lib/git-core/git-remote-http")
        try proc.add(74, "countersign", parent: 73)
        #expect(proc.program(of: 74, isOwn: true)?.name == "/usr/bin/editor")
        // Any other program is itself, whatever it is called.
        try proc.add(69, "git", parent: 70, exe: "/tmp/git")
        #expect(proc.program(of: 69)?.name == "/tmp/git")
        // Nothing but shells up to the first process: nobody to name.
        try proc.add(75, "countersign", parent: 76)
        try proc.add(76, "sh", parent: 1, exe: "/usr/bin/dash")
        #expect(proc.program(of: 75, isOwn: true) == nil)
        #expect(proc.program(of: 4711, isOwn: true) == nil)
        // A service manager starts anything.
        try proc.add(68, "systemd", parent: 1, exe: "/usr/lib/systemd/systemd")
        try proc.add(67, "countersign", parent: 68)
        #expect(proc.program(of: 67, isOwn: true) == nil)
    }

    @Test func aScriptIsNamedByItsFile() throws {
        let proc = Proc()
        let folder = proc.root.appending(path: "scripts")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = folder.appending(path: "backup.py")
        try Data().write(to: script)
        let real = script.resolvingSymlinksInPath().path
        try proc.add(77, "python3", exe: "/usr/bin/python3.11", arguments: ["python3", script.path, "--all"])
        #expect(proc.program(of: 77) == PeerProgram(.script, real, isChangeable: true))
        // By a path that is relative to where it was started.
        try proc.add(78, "python3", exe: "/usr/bin/python3.11", arguments: ["python3", "backup.py"])
        try FileManager.default.createSymbolicLink(
            atPath: proc.root.appending(path: "78/cwd").path, withDestinationPath: folder.path)
        #expect(proc.program(of: 78)?.name == real)
        for arguments in [
            ["python3", "-c", "print()"], ["python3", "-m", "backup"], ["python3"], ["python3", "gone.py"],
        ] {
            let proc = Proc()
            try proc.add(79, "python3", exe: "/usr/bin/python3.11", arguments: arguments)
            #expect(proc.program(of: 79)?.kind == .path && proc.program(of: 79)?.name == "/usr/bin/python3.11")
        }
        // A compiled program's arguments say nothing of it.
        try proc.add(80, "fern", exe: "/usr/bin/fern", arguments: ["fern", script.path])
        #expect(proc.program(of: 80)?.name == "/usr/bin/fern")
    }

    @Test func thisVeryProcessHasAName() {
        #expect(PeerProgram(of: ProcessInfo.processInfo.processIdentifier, uid: 0, isOwn: false) != nil)
    }
}
