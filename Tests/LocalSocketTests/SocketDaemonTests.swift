import Foundation
@testable import LocalSocket
import TestSupport
import Testing

@Suite struct Daemons {
    private func start(_ script: String, patience: Duration = .seconds(60)) throws -> Int32 {
        try Daemon.start(
            "/bin/sh", ["name", "-c", script],
            [
                "PATH": "/usr/bin:/bin", "A": "b", "LISTEN_FDS": "1", "NOTIFY_SOCKET": "@x",
                "COUNTERSIGN_READINESS": "9",
            ], patience)
    }

    private func reap(_ pid: Int32) {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    @Test func itRunsOnInASessionOfItsOwn() throws {
        let home = try SocketHome()
        let stray = open("/dev/null", O_RDONLY)
        defer { close(stray) }
        #expect(fcntl(stray, F_GETFD) == 0)
        let pid = try start(
            """
            ls -l /proc/self/fd > \(home.path)/fds
            env | grep -v -e PWD -e SHLVL -e _= | sort > \(home.path)/env
            echo $0 "$@" > \(home.path)/words
            printf + >&3
            exec 3>&-; exec sleep 1000
            """)
        defer { reap(pid) }
        #expect(getsid(pid) == pid)
        func lines(_ name: String) throws -> [String] {
            try String(contentsOfFile: home.path + "/" + name, encoding: .utf8).split(separator: "\n").map(String.init)
        }
        // Beside its own output and the directory that it reads.
        let descriptors = try lines("fds").compactMap { line in
            line.firstRange(of: " -> ").map { arrow in
                (number: line[..<arrow.lowerBound].split(separator: " ").last ?? "", file: line[arrow.upperBound...])
            }
        }.filter { $0.number != "1" && !$0.file.hasPrefix("/proc/") }
        #expect(
            descriptors.map { "\($0.number) \($0.file.prefix { $0 != ":" })" } == [
                "0 /dev/null", "2 /dev/null", "3 socket",
            ])
        #expect(try lines("env") == ["A=b", "COUNTERSIGN_READINESS=3", "PATH=/usr/bin:/bin"])
        #expect(kill(pid, 0) == 0)
    }

    @Test(
        arguments: [
            ("exit 0", "the agent ended before it was ready"), ("kill -9 $$", "the agent ended before it was ready"),
            ("printf 'no keyring' >&3; exit 7", "no keyring"), ("printf 'a + b' >&3", "a + b"),
        ])
    func oneThatEndsBeforeItIsReadySaysWhy(_ script: String, _ reason: String) throws {
        #expect(throws: SocketError.notStarted(reason)) { try start(script) }
    }

    @Test func oneThatSaysNothingIsEnded() throws {
        let home = try SocketHome()
        #expect(throws: SocketError.notStarted("the agent did not become ready in time")) {
            try start("echo $$ > \(home.path)/pid; exec sleep 1000", patience: .seconds(2))
        }
        let pid = Int32(try String(contentsOfFile: home.path + "/pid", encoding: .utf8).dropLast())
        #expect(kill(try #require(pid), 0) != 0 && errno == ESRCH)
    }

    @Test func whatIsNoProgramIsNotStarted() throws {
        #expect(throws: SocketError.notStarted("the agent could not be started: no such file or directory")) {
            try Daemon.start("/nowhere/at/all", ["name"], [:], .seconds(60))
        }
    }

    @Test func theStartedSideSpeaksOnce() throws {
        var ends: [Int32] = [-1, -1]
        // Two descriptors into an array of two.
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        setenv("COUNTERSIGN_READINESS", "x", 1)
        let readiness = try #require(Readiness(environment: ["COUNTERSIGN_READINESS": "\(ends[1])"]))
        #expect(getenv("COUNTERSIGN_READINESS") == nil)
        #expect(fcntl(ends[1], F_GETFD) == FD_CLOEXEC)
        readiness.ready()
        readiness.ready()
        readiness.failed("late")
        var bytes = [UInt8](repeating: 0, count: 16)
        // At most the array's own length is written into it.
        #expect(recv(ends[0], &bytes, bytes.count, 0) == 1)
        #expect(bytes[0] == UInt8(ascii: "+"))
        #expect(recv(ends[0], &bytes, bytes.count, 0) == 0)
    }

    @Test(arguments: [nil, "", "x", "-1", "2", "1000000", "FILE"] as [String?])
    func whatIsNoLineIsNotSpokenTo(_ number: String?) throws {
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        let value = number == "FILE" ? "\(file)" : number
        #expect(Readiness(environment: value.map { ["COUNTERSIGN_READINESS": $0] } ?? [:]) == nil)
        #expect(fcntl(file, F_GETFD) == 0)
    }
}
