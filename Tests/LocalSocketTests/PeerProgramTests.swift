import Foundation
import LocalSocket
import Testing

/// Which program a process belongs to, told by a made-up `/proc`.
@Suite(.timeLimit(.minutes(1))) struct PeerProgramTests {
    /// A `/proc` with the processes that a test puts into it.
    final class Proc {
        let root = FileManager.default.temporaryDirectory.appending(path: "proc-\(UUID().uuidString)")
        private let files = FileManager.default

        init() throws {
            try files.createDirectory(at: root.appending(path: "self/ns"), withIntermediateDirectories: true)
            try link("self/ns/mnt", to: Self.ownMounts)
        }

        deinit { try? files.removeItem(at: root) }

        static let ownMounts = "mnt:[4026531841]"

        func link(_ path: String, to target: String) throws {
            let place = root.appending(path: path).path
            try? files.removeItem(atPath: place)
            try files.createSymbolicLink(atPath: place, withDestinationPath: target)
        }

        func add(
            _ pid: Int, _ name: String, parent: Int = 1, exe: String? = nil, arguments: [String] = [],
            cgroup: String = "0::/init.scope", flatpak: String? = nil, label: String? = nil, start: Int = 0,
            mounts: String = ownMounts
        ) throws {
            let place = root.appending(path: "\(pid)")
            try files.createDirectory(at: place.appending(path: "root"), withIntermediateDirectories: true)
            for folder in ["attr", "ns"] {
                try files.createDirectory(at: place.appending(path: folder), withIntermediateDirectories: true)
            }
            try link("\(pid)/ns/mnt", to: mounts)
            func write(_ text: String, _ path: String) throws {
                try Data(text.utf8).write(to: place.appending(path: path))
            }
            // The start time is field 22.
            let (before, after) = (Array(repeating: "0", count: 17), Array(repeating: "0", count: 20))
            let rest = (before + ["\(start)"] + after).joined(separator: " ")
            try write("\(pid) (\(name)) S \(parent) \(rest)", "stat")
            try write(cgroup + "\n", "cgroup")
            try write(arguments.map { $0 + "\0" }.joined(), "cmdline")
            if let flatpak { try write(flatpak, "root/.flatpak-info") }
            if let label { try write(label, "attr/current") }
            if let exe { try link("\(pid)/exe", to: exe) }
        }

        func program(of pid: Int32, isOwn: Bool = false, meanwhile: () -> Void = {}) -> PeerProgram? {
            PeerProgram(of: pid, uid: 1000, isOwn: isOwn, root: root.path, meanwhile: meanwhile)
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
        let proc = try Proc()
        try proc.add(77, "fern", exe: "/usr/bin/fern", cgroup: Self.user + unit)
        let program = try #require(proc.program(of: 77))
        #expect(program.kind == kind && program.name == name)
    }

    @Test(arguments: [
        "0::/user.slice/user-1001.slice/user@1001.service/app.slice/backup.service", "0::/system.slice/cron.service",
        "1:name=systemd:/user@1000.service/backup.service",
    ]) func aUnitOfAnotherManagerIsNone(_ cgroup: String) throws {
        let proc = try Proc()
        try proc.add(77, "fern", exe: "/usr/bin/fern", cgroup: cgroup)
        #expect(proc.program(of: 77)?.kind == .path)
    }

    @Test(arguments: [
        ("snap.fern.fern (enforce)\n", PeerProgram.Kind.snap, "fern"),
        ("snap.fern.hook.install (enforce)", .snap, "fern"),
        // Stacked with another, or in another mode: not the package's alone.
        ("snap.fern.fern//&unconfined (mixed)\n", .sandbox, ""),
        ("snap.fern.fern//&:other:x (enforce)\n", .sandbox, ""),
        ("snap.fern.fern (kill)\n", .sandbox, ""), ("snap.fern.fern\n", .sandbox, ""),
        ("snap.fern (enforce)\n", .sandbox, ""),
        ("snap..fern (enforce)\n", .sandbox, ""), ("snap.fern.fern (enforce) (enforce)\n", .sandbox, ""),
        // That confines nothing, and these are not Snap's.
        ("snap.fern.fern (complain)\n", .path, "/usr/bin/fern"), ("unconfined\n", .path, "/usr/bin/fern"),
        (":other://snap.fern.fern (enforce)\n", .path, "/usr/bin/fern"), ("\n", .path, "/usr/bin/fern"),
    ]) func theLabelOfASnap(_ label: String, _ kind: PeerProgram.Kind, _ name: String) throws {
        let proc = try Proc()
        try proc.add(77, "fern", exe: "/usr/bin/fern", label: label)
        let program = try #require(proc.program(of: 77))
        #expect(program.kind == kind && program.name == name)
        // Whatever else it says of itself.
        let unit = Self.user + "app.slice/app-flatpak-org.fern.Mail-1.scope"
        try proc.add(78, "fern", exe: "/usr/bin/fern", cgroup: unit, flatpak: Self.info, label: label)
        #expect(proc.program(of: 78) == (kind == .snap ? PeerProgram(kind, name) : PeerProgram(.sandbox, "")))
    }

    private static let info = "[Application]\nname=org.fern.Mail\nruntime=x\n[Instance]\nname=no\n"

    /// Anybody can write that file into a sandbox, and have the service manager make that scope.
    @Test func theIDOfAFlatpakIsNobodys() throws {
        let proc = try Proc()
        let unit = Self.user + "app.slice/app-flatpak-org.fern.Mail-1.scope"
        let none = PeerProgram(.sandbox, "")
        try proc.add(77, "fern", exe: "/app/bin/fern", cgroup: unit, flatpak: Self.info)
        #expect(proc.program(of: 77) == none)
        try proc.add(78, "fern", exe: "/app/bin/fern", flatpak: Self.info)
        #expect(proc.program(of: 78) == none)
        try proc.add(79, "fern", exe: "/app/bin/fern", cgroup: unit)
        #expect(proc.program(of: 79) == none)
        // With a pipe or a link that leads nowhere in the file's place.
        try proc.add(81, "fern", exe: "/app/bin/fern")
        #expect(mkfifo(proc.root.appending(path: "81/root/.flatpak-info").path, 0o600) == 0)
        #expect(proc.program(of: 81) == none)
        try proc.add(82, "fern", exe: "/app/bin/fern")
        try proc.link("82/root/.flatpak-info", to: "/nowhere")
        #expect(proc.program(of: 82) == none)
        // Our own command hides its files, but its ancestors do not.
        try proc.add(83, "sh", parent: 82, exe: "/usr/bin/dash")
        try proc.add(84, "countersign", parent: 83)
        #expect(proc.program(of: 84, isOwn: true) == none)
    }

    /// In a mount namespace of its own, a program can lie at any path.
    @Test func amongOtherFilesAPathCountsOnlyWhereItIsTheSameFile() throws {
        let proc = try Proc()
        let place = proc.root.appending(path: "files")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let (file, other) = (place.appending(path: "fern").path, place.appending(path: "oak").path)
        for path in [file, other] { try Data().write(to: URL(filePath: path)) }
        // A link of /proc leads to the file, whatever its text says; a link here leads where its text says. So it is the same file,
        // or none.
        try proc.add(77, "fern", exe: file, mounts: "mnt:[4026532000]")
        #expect(proc.program(of: 77)?.name == file)
        try proc.add(78, "fern", exe: "/usr/bin/none", mounts: "mnt:[4026532000]")
        #expect(proc.program(of: 78) == nil)
        try proc.add(79, "fern", exe: file + " (deleted)", mounts: "mnt:[4026532000]")
        #expect(proc.program(of: 79) == nil)
        try proc.add(80, "fern", exe: file + " (deleted)")
        #expect(proc.program(of: 80)?.name == file)
        // The interpreter opened a script that we cannot see.
        try proc.add(81, "python3", exe: "/usr/bin/python3", arguments: ["python3", other], mounts: "mnt:[4026532000]")
        #expect(proc.program(of: 81) == nil)
    }

    /// Our own command asks for whoever runs it.
    @Test func whoRunsOurCommandIsAskedAbout() throws {
        let proc = try Proc()
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
        let proc = try Proc()
        let folder = proc.root.appending(path: "scripts")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = folder.appending(path: "backup.py")
        try Data().write(to: script)
        let real = script.resolvingSymlinksInPath().path
        try proc.add(77, "python3", exe: "/usr/bin/python3.11", arguments: ["python3", script.path, "--all"])
        #expect(proc.program(of: 77) == PeerProgram(.script, real, isChangeable: true))
        try proc.add(78, "backup", exe: "/usr/bin/perl", arguments: ["/usr/bin/perl", "-wT", script.path])
        #expect(proc.program(of: 78)?.name == real)
        // Nobody, whatever else the interpreter runs. The process could have gone into that folder after it had begun.
        try FileManager.default.createSymbolicLink(
            atPath: proc.root.appending(path: "77/cwd").path, withDestinationPath: folder.path)
        for arguments in [
            ["python3", "-c", "print()"], ["python3", "-m", "backup"], ["python3"], ["python3", "gone.py"], [],
            ["python3", "backup.py"], ["python3", "", script.path], ["python3", folder.path], ["python3", "/gone.py"],
            ["python3", "/proc/self/exe"], ["python3", "/dev/stdin"], ["python3", "/dev/null"],
        ] {
            try proc.add(77, "python3", exe: "/usr/bin/python3.11", arguments: arguments)
            #expect(proc.program(of: 77) == nil, "\(arguments)")
        }
        // A compiled program's arguments say nothing of it.
        try proc.add(80, "fern", exe: "/usr/bin/fern", arguments: ["fern", script.path])
        #expect(proc.program(of: 80)?.name == "/usr/bin/fern")
    }

    @Test func anInterpreterThatRunsOurCommandIsNoProgram() throws {
        let proc = try Proc()
        try proc.add(70, "editor", parent: 1, exe: "/usr/bin/editor")
        try proc.add(71, "python3", parent: 70, exe: "/usr/bin/python3.11", arguments: ["python3", "-c", "import os"])
        try proc.add(72, "countersign", parent: 71)
        #expect(proc.program(of: 72, isOwn: true) == nil)
    }

    /// Between the first look and the second: nobody has the name of what came after, nor of what was before.
    @Test(arguments: [
        "its pid is used again", "it runs another file", "it ends", "its parent runs another file",
    ]) func aChangeWhileItIsLookedAtLeavesNobody(_ change: String) throws {
        let proc = try Proc()
        func add(parent exe: String) throws { try proc.add(70, "editor", parent: 1, exe: exe) }
        func add(start: Int = 5, exe: String = "/usr/bin/fern") throws {
            try proc.add(77, "fern", parent: 70, exe: exe, start: start)
        }
        try add(parent: "/usr/bin/editor")
        try add()
        #expect(proc.program(of: 77) != nil)
        let isOwn = change.hasPrefix("its parent")
        if isOwn { try proc.add(77, "countersign", parent: 70) }
        #expect(proc.program(of: 77, isOwn: isOwn) != nil)
        let found = proc.program(of: 77, isOwn: isOwn) {
            do {
                switch change {
                case "its pid is used again": try add(start: 6)
                case "it runs another file": try add(exe: "/usr/bin/oak")
                case "it ends": try FileManager.default.removeItem(at: proc.root.appending(path: "77"))
                default: try add(parent: "/usr/bin/other")
                }
            } catch { Issue.record(error) }
        }
        #expect(found == nil)
    }

    @Test func thisVeryProcessHasAName() {
        #expect(PeerProgram(of: ProcessInfo.processInfo.processIdentifier, uid: 0, isOwn: false) != nil)
    }
}
