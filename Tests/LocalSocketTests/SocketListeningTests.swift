import Foundation
@testable import LocalSocket
import TestSupport
import Testing

@Suite struct ListeningSockets {
    let home: SocketHome
    let place: SocketPlace

    init() throws {
        home = try SocketHome()
        place = try home.place()
    }

    @Test(arguments: [0, 0o022, 0o077] as [mode_t]) func theSocketIsForNobodyElse(_ mask: mode_t) async throws {
        // A mask is the whole process's.
        await #expect(processExitsWith: .success) { [mask = mask as mode_t] in
            umask(mask)
            let home = try SocketHome()
            let place = try home.place()
            let socket = try ListeningSocket.bind(at: place)
            #expect(try mode(of: place.path) == 0o600)
            #expect(try mode(of: place.lockFile) == 0o600)
            #expect(try mode(of: place.directory) == 0o700)
            let descriptor = try #require(socket.takeDescriptor())
            defer { close(descriptor) }
            #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
            #expect(socket.takeDescriptor() == nil)
            withExtendedLifetime(home) {}
        }
    }

    @Test func aSecondAgentIsToldWhoRuns() throws {
        let first = try ListeningSocket.bind(at: place)
        let before = try SocketFile(at: place.path)?.identity
        #expect(throws: SocketError.running(pid: getpid())) { try ListeningSocket.bind(at: place) }
        #expect(try SocketFile(at: place.path)?.identity == before)
        #expect(try UnixStream(connectingTo: place.path) != nil)
        withExtendedLifetime(first) {}
    }

    @Test func anEndedAgentLeavesRoomForTheNext() throws {
        _ = try ListeningSocket.bind(at: place)
        #expect(try SocketFile(at: place.path) == nil)
        #expect(try String(contentsOfFile: place.lockFile, encoding: .utf8).isEmpty)
        _ = try ListeningSocket.bind(at: place)
    }

    @Test func theSocketOfAKilledAgentIsReplaced() throws {
        try place.makeDirectory()
        close(try SocketHome.listener(at: place.path))
        try Data("999999999\n".utf8).write(to: URL(filePath: place.lockFile))
        let socket = try ListeningSocket.bind(at: place)
        #expect(try UnixStream(connectingTo: place.path) != nil)
        #expect(try String(contentsOfFile: place.lockFile, encoding: .utf8) == "\(getpid())\n")
        withExtendedLifetime(socket) {}
    }

    @Test func aSocketThatSomebodyListensAtIsLeftAlone() throws {
        try place.makeDirectory()
        let other = try SocketHome.listener(at: place.path)
        defer { close(other) }
        let before = try SocketFile(at: place.path)?.identity
        #expect(throws: SocketError.occupied(path: place.path)) { try ListeningSocket.bind(at: place) }
        #expect(try SocketFile(at: place.path)?.identity == before)
        // The lock was given back.
        _ = try place.lock()
    }

    @Test func itIsTheOnlyOneOfItsHomeWhereverItListens() throws {
        let first = try ListeningSocket.bind(at: place)
        #expect(try mode(of: place.homeLockFile) == 0o600)
        let elsewhere = try SocketPlace(home: home.path + "/home", isDefault: true, runtimeDirectory: nil)
        #expect(throws: SocketError.running(pid: getpid())) { try ListeningSocket.bind(at: elsewhere) }
        withExtendedLifetime(first) {}
    }

    @Test func whoHasTheLockIsTold() throws {
        #expect(try AgentLock.holder(inHome: home.path + "/home") == nil)
        do {
            let socket = try ListeningSocket.bind(at: place)
            #expect(try AgentLock.holder(inHome: home.path + "/home")?.pid == getpid())
            withExtendedLifetime(socket) {}
        }
        #expect(try AgentLock.holder(inHome: home.path + "/home") == nil)
    }

    @Test func whoOnlyLooksHasTheNextOneWaitAMoment() throws {
        _ = try place.lock()
        let descriptor = open(place.homeLockFile, O_RDONLY | O_CLOEXEC)
        try #require(flock(descriptor, LOCK_SH) == 0)
        Thread.detachNewThread {
            usleep(20_000)
            close(descriptor)
        }
        _ = try AgentLock(place.homeLockFile, patience: 10_000)
    }

    @Test func whatIsNoSocketIsLeftAlone() throws {
        try place.makeDirectory()
        try Data("mine".utf8).write(to: URL(filePath: place.path))
        let inTheWay = "\(place.path) is in the way, and it is no socket of yours"
        #expect(throws: SocketError.unusable(inTheWay, remedy: "rm \(place.path)")) {
            try ListeningSocket.bind(at: place)
        }
        #expect(try String(contentsOfFile: place.path, encoding: .utf8) == "mine")
    }

    @Test func onlyItsOwnSocketIsRemovedAtTheEnd() throws {
        do {
            let socket = try ListeningSocket.bind(at: place)
            unlink(place.path)
            close(try SocketHome.listener(at: place.path))
            withExtendedLifetime(socket) {}
        }
        #expect(try SocketFile(at: place.path)?.isSocket == true)
    }

    @Test func aLockFileThatIsALinkIsRefused() throws {
        try place.makeDirectory()
        try FileManager.default.createSymbolicLink(
            atPath: place.lockFile, withDestinationPath: home.path + "/elsewhere")
        #expect(throws: SocketError.system(place.lockFile, ELOOP)) { try ListeningSocket.bind(at: place) }
        #expect(!FileManager.default.fileExists(atPath: home.path + "/elsewhere"))
    }
}

@Suite struct InheritedSockets {
    let home: SocketHome
    let place: SocketPlace

    init() throws {
        home = try SocketHome()
        place = try home.place()
    }

    private func inherit(
        _ descriptor: Int32, pid: String = "\(getpid())", count: String? = "1"
    ) throws -> ListeningSocket? {
        var environment = ["LISTEN_PID": pid, "LISTEN_FDNAMES": "agent"]
        environment["LISTEN_FDS"] = count
        return try ListeningSocket.inherited(at: place, environment: environment, first: descriptor)
    }

    @Test func aPassedSocketIsTakenAndLocked() throws {
        try place.makeDirectory()
        let descriptor = try SocketHome.listener(at: place.path)
        #expect(fcntl(descriptor, F_GETFD) == 0)
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { setenv(name, "1", 1) }
        do {
            let socket = try #require(try inherit(descriptor))
            #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
            for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { #expect(getenv(name) == nil) }
            #expect(throws: SocketError.running(pid: getpid())) { try ListeningSocket.bind(at: place) }
            withExtendedLifetime(socket) {}
        }
        // The file is the service manager's.
        #expect(try SocketFile(at: place.path)?.isSocket == true)
    }

    @Test func aSocketForAnotherProcessIsNotOurs() throws {
        try place.makeDirectory()
        let descriptor = try SocketHome.listener(at: place.path)
        defer { close(descriptor) }
        #expect(try inherit(descriptor, pid: "1") == nil)
        #expect(try inherit(descriptor, pid: "") == nil)
        #expect(try inherit(descriptor, count: nil) == nil)
        #expect(try ListeningSocket.inherited(at: place, environment: [:], first: descriptor) == nil)
        #expect(fcntl(descriptor, F_GETFD) == 0)
    }

    @Test(arguments: ["datagram", "connected", "unbound", "internet", "file", "closed"])
    func whatIsNoListeningUnixSocketIsRefused(_ kind: String) throws {
        try place.makeDirectory()
        var descriptor: Int32
        switch kind {
        case "datagram": descriptor = try SocketHome.listener(at: place.path, type: SOCK_DGRAM, listens: false)
        case "connected":
            var ends: [Int32] = [-1, -1]
            // Two descriptors into an array of two.
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            close(ends[1])
            descriptor = ends[0]
        case "unbound": descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        case "internet": descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        case "file": descriptor = open("/dev/null", O_RDWR)
        default: descriptor = 1_000_000
        }
        defer { if kind != "closed" { close(descriptor) } }
        let fault =
            kind == "closed"
            ? "the service manager passed no open descriptor 1000000"
            : "what the service manager passed is not a listening unix stream socket"
        #expect(throws: SocketError.badActivation(fault)) { try inherit(descriptor) }
    }

    @Test(arguments: ["0", "-1", "x", "", "99999999999", "2"]) func anythingButOneSocketIsRefused(_ count: String)
        throws
    {
        try place.makeDirectory()
        let descriptor = try SocketHome.listener(at: place.path)
        defer { close(descriptor) }
        #expect { try inherit(descriptor, count: count) } throws: {
            if case SocketError.badActivation = $0 { true } else { false }
        }
    }
}

@Suite struct ServiceManagers {
    @Test(arguments: [false, true]) func itHearsHowTheAgentIs(_ isAbstract: Bool) throws {
        let home = try SocketHome()
        let address = isAbstract ? "@" + home.path : home.path + "/notify"
        let manager = try SocketHome.listener(at: address, type: SOCK_DGRAM, listens: false)
        defer { close(manager) }
        let service = ServiceManager(environment: ["NOTIFY_SOCKET": address])
        service.ready()
        service.stopping()
        for expected in ["READY=1", "STOPPING=1"] {
            var bytes = [UInt8](repeating: 0, count: 256)
            // At most the array's own length is written into it.
            let count = recv(manager, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == expected)
        }
    }

    @Test(
        arguments: [
            nil, "", "relative", "vsock:2:1234", "/nowhere/at/all", "@nobody-listens-to-this",
            "/" + String(repeating: "a", count: 200), "/dev/null",
        ] as [String?])
    func oneThatCannotBeToldHoldsNobodyUp(_ address: String?) {
        let service = ServiceManager(environment: address.map { ["NOTIFY_SOCKET": $0] } ?? [:])
        service.ready()
        service.stopping()
    }
}
