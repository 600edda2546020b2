import Basics
import Foundation
@testable import LocalSocket
import Synchronization
import Testing

@Suite struct Callers {
    @Test func aProcessAndItsAncestorsAreNamed() throws {
        let own = Requester.current()
        #expect(own.pid == getpid())
        #expect(own.uid == getuid())
        #expect(own.commands.first?.contains("xctest") == true || own.commands.first?.contains("test") == true)
        #expect(own.commands.count > 1)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "echo ready; read line; exit 0", "name", "https://bank.example/?code=secret"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(try output.fileHandleForReading.read(upToCount: 1) != nil)
        let child = Requester.of(pid: process.processIdentifier, uid: 7)
        #expect(child.commands == ["/bin/sh -c echo ready; read line; exit 0 name LINK"] + own.commands.prefix(4))
        #expect(child.uid == 7)
        let caller = Caller(pid: process.processIdentifier, uid: 7, presence: Presence())
        #expect(caller.requester == child)
        #expect(!caller.isOwnProgram)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    @Test func oneThatHasEndedIsNamedByItsProgram() throws {
        var pid = pid_t()
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("x"), nil]
        defer { free(words[0]) }
        // The strings live until after the call, which copies them.
        try #require(posix_spawn(&pid, "/bin/true", nil, nil, &words, nil) == 0)
        var info = siginfo_t()
        // Waits for the end without taking note of it, so that the process keeps its number.
        try #require(waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == 0)
        #expect(Requester.of(pid: pid, uid: 7).commands.first == "[true]")
        waitpid(pid, nil, 0)
    }

    @Test(arguments: [0, -1, 999_999_999] as [Int32]) func whoIsGoneIsNobody(_ pid: Int32) {
        let caller = Caller(pid: pid, uid: 7, presence: Presence())
        #expect(caller.requester == Requester(pid: pid, uid: 7, commands: []))
        #expect(!caller.hasTerminal)
        #expect(!caller.isOwnProgram)
    }

    @Test func aTerminalIsKnownByItsNumber() throws {
        let fields = "S 41 42 43 34816 42 4194304 1 0 0 0 0 0 0 0 20 0 1 0 777 1 1"
        let status = try #require(ProcessStatus(Array("42 (a) b (c)) \(fields)".utf8)))
        #expect(status.name == "a) b (c)")
        #expect((status.parent, status.terminal, status.startTime) == (41, 34816, 777))
        for broken in [
            "", "42", "42 (a", "42 (a) S 41", "42 )a( \(fields)", "42 (a) S x 42 43 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 7",
        ] {
            #expect(ProcessStatus(Array(broken.utf8)) == nil, "\(broken)")
        }
    }

    @Test func onlyAHiddenFileIsJudgedByTheName() throws {
        let own = try #require(SocketFile(following: "/proc/self/exe")).identity
        let other = try #require(SocketFile(following: "/bin/sh")).identity
        #expect(Caller.isOwnProgram(.file(own), name: "anything"))
        #expect(!Caller.isOwnProgram(.file(other), name: "countersign"))
        #expect(Caller.isOwnProgram(.hidden, name: "countersign"))
        #expect(!Caller.isOwnProgram(.hidden, name: "countersigner"))
        #expect(!Caller.isOwnProgram(.unknown, name: "countersign"))
        #expect(Caller.ProgramFile(of: getpid()) == .file(own))
        #expect(Caller.ProgramFile(of: 999_999_999) == .unknown)
    }
}

@Suite struct Presences {
    @Test func whoWaitsIsToldOnce() {
        let presence = Presence()
        let told = Mutex<[String]>([])
        func note(_ word: String) -> @Sendable () -> Void { { told.withLock { $0.append(word) } } }
        _ = presence.onDeparture(note("a"))
        let forgotten = presence.onDeparture(note("b"))
        presence.forget(forgotten)
        #expect(!presence.hasLeft)
        presence.leave()
        presence.leave()
        #expect(presence.hasLeft)
        _ = presence.onDeparture(note("late"))
        #expect(told.withLock { $0 } == ["a", "late"])
    }

    @Test func anOperationEndsWithTheClientOrItsOwnTask() async throws {
        #expect(try await Presence().whilePresent { 7 } == 7)
        let presence = Presence()
        presence.leave()
        await #expect(throws: CancellationError.self) {
            try await presence.whilePresent { try await Task.sleep(for: .seconds(3600)) }
        }
        let task = Task { try await Presence().whilePresent { try await Task.sleep(for: .seconds(3600)) } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [
        ("/usr/libexec/countersign/countersign", "/usr/bin/countersign"),
        ("/home/mira/.local/libexec/countersign/countersign", "/home/mira/.local/bin/countersign"),
        ("/src/.build/debug/countersign", "/src/.build/debug/countersign-entry"),
        ("/usr/bin/countersign-entry", nil), ("/usr/bin/swift-testing", nil),
    ]) func theEntryHasOnePlace(_ program: String, _ entry: String?) {
        #expect(OwnFiles.place(ofEntryTo: program) == entry)
    }

    @Test func linksLeadToOwnFiles() throws {
        let running = try #require(OwnFiles.running)
        #expect(OwnFiles.lead(from: running) && OwnFiles.lead(from: "/proc/self/exe"))
        #expect(!OwnFiles.lead(from: "/bin/sh") && !OwnFiles.lead(from: "/nowhere"))
        #expect(OwnFiles.entry == nil)
    }
}
