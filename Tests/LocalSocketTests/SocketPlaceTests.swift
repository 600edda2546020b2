import Foundation
@testable import LocalSocket
import Cryptography
import TestSupport
import Testing

@Suite struct SocketPlaces {
    let home: SocketHome

    init() throws { home = try SocketHome() }

    @Test func theDefaultHomesSocketLiesInTheRuntimeDirectory() throws {
        let place = try SocketPlace(home: "/nowhere/at/all", isDefault: true, runtimeDirectory: home.path)
        #expect(place.path == home.path + "/countersign/agent.sock")
    }

    @Test func anotherHomesSocketIsCalledAfterItsPath() throws {
        let path = home.path + "/real"
        let place = try SocketPlace(home: path, isDefault: false, runtimeDirectory: home.path)
        let digest = Digest.sha256(Array(path.utf8)).prefix(8).map { String(format: "%02x", $0) }.joined()
        #expect(place.path == home.path + "/countersign/agent-\(digest).sock")
    }

    @Test(arguments: [nil, "", "relative", "/nowhere/at/all", "OPEN", "FILE"])
    func withoutARuntimeDirectoryItLiesInTheHome(_ directory: String?) throws {
        var directory = directory
        if directory == "OPEN" {
            directory = home.path + "/open"
            try FileManager.default.createDirectory(atPath: home.path + "/open", withIntermediateDirectories: false)
            chmod(home.path + "/open", 0o777)
        } else if directory == "FILE" {
            directory = home.path + "/file"
            try Data().write(to: URL(filePath: home.path + "/file"))
        }
        let place = try SocketPlace(home: "/home/ada/state", isDefault: true, runtimeDirectory: directory)
        #expect(place.path == "/home/ada/state/run/agent.sock")
    }

    @Test func aPathThatFitsNoAddressIsRefused() throws {
        let room = 107 - "/run/agent.sock".utf8.count
        let longest = "/" + String(repeating: "a", count: room - 1)
        #expect(try SocketPlace(home: longest, isDefault: true, runtimeDirectory: nil).path.utf8.count == 107)
        for home in [longest + "a", String(longest.dropLast(2)) + "ä" + "a"] {
            let error = SocketError.tooLong(
                "the socket's path is longer than 107 bytes: \(home)/run/agent.sock",
                remedy: "set XDG_RUNTIME_DIR, or choose a shorter --home")
            #expect(throws: error) { try SocketPlace(home: home, isDefault: true, runtimeDirectory: nil) }
        }
    }

    @Test func theDirectoryIsMadeForNobodyElse() async throws {
        // A mask is the whole process's.
        await #expect(processExitsWith: .success) { [path = home.path as String] in
            umask(0)
            try SocketPlace(home: path + "/a/b", isDefault: true, runtimeDirectory: nil).makeDirectory()
            for made in ["/a", "/a/b", "/a/b/run"] { #expect(try mode(of: path + made) == 0o700) }
        }
    }

    @Test func aDirectoryThatIsOpenToOthersIsRefused() throws {
        let place = try home.place()
        try place.makeDirectory()
        try place.makeDirectory()
        let error = SocketError.unusable(
            "\(place.directory) is open to other users", remedy: "chmod 700 \(place.directory)")
        for mode: mode_t in [0o750, 0o701, 0o777] {
            chmod(place.directory, mode)
            #expect(throws: error) { try place.makeDirectory() }
        }
    }

    @Test func aDirectoryOfAnotherUserIsRefused() throws {
        let place = try home.place()
        try place.makeDirectory()
        try AnotherUser.owning(place.directory) {
            let owner = try #require(try SocketFile(at: place.directory)?.owner)
            #expect(throws: SocketError.unusable("\(place.directory) belongs to another user (uid \(owner))")) {
                try place.makeDirectory()
            }
        }
    }

    @Test func aFileOrALinkIsNoDirectory() throws {
        let place = try home.place()
        let error = SocketError.unusable(
            "\(place.directory) is not a directory", remedy: "rm \(place.directory)")
        try Data().write(to: URL(filePath: place.directory))
        #expect(throws: error) { try place.makeDirectory() }
        try FileManager.default.removeItem(atPath: place.directory)
        try FileManager.default.createSymbolicLink(atPath: place.directory, withDestinationPath: home.path)
        #expect(throws: error) { try place.makeDirectory() }
    }
}
