import Basics
import Foundation
import Glibc
import Keys
@testable import Ledger
import TestSupport
import Testing

struct StateDirectoryTests {
    @Test(
        arguments: [
            ("/h", ["COUNTERSIGN_HOME": "/c", "XDG_STATE_HOME": "/x", "HOME": "/u"], "/h"),
            (nil, ["COUNTERSIGN_HOME": "/c", "XDG_STATE_HOME": "/x", "HOME": "/u"], "/c"),
            (nil, ["COUNTERSIGN_HOME": "", "XDG_STATE_HOME": "/x", "HOME": "/u"], "/x/countersign"),
            (nil, ["XDG_STATE_HOME": "relative", "HOME": "/u"], "/u/.local/state/countersign"),
            (nil, ["HOME": "/u"], "/u/.local/state/countersign"),
            ("here", [:], FileManager.default.currentDirectoryPath + "/here"),
        ] as [(String?, [String: String], String)])
    func isFoundFromOptionAndEnvironment(home: String?, environment: [String: String], path: String) throws {
        #expect(try StateDirectory(home: home, environment: environment).path == path)
    }

    @Test func oneHomeHasOnePath() throws {
        let home = try TestHome()
        try home.directory().make()
        let link = home.parent + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.path)
        func path(_ home: String) throws -> String { try StateDirectory(home: home, environment: [:]).path }
        for name in [home.path + "/", link, link + "/.", link + "/../home//", home.parent + "/no/../home"] {
            #expect(try path(name) == home.path, "\(name)")
        }
        #expect(try path(link + "/not-yet/./er/..") == home.path + "/not-yet")
        #expect(try path("/..") == "/")
    }

    @Test func nothingSaysWhere() {
        let error = StoreError.unusable(
            "neither XDG_STATE_HOME nor HOME says where to keep the state", remedy: "choose a place with --home")
        #expect(throws: error) { try StateDirectory(home: nil, environment: ["HOME": "x"]) }
    }

    @Test func allThatIsMadeIsOpenToItsOwnerAlone() throws {
        let home = try TestHome()
        let database = StateDatabase(try StateDirectory(home: home.path + "/deep/er", environment: [:]))
        try database.update { _ in nil }
        for directory in ["", "/deep", "/deep/er"] { #expect(try mode(of: home.path + directory) == 0o700) }
        let files = try FileManager.default.contentsOfDirectory(atPath: database.directory.path).sorted()
        #expect(files == ["ledger.sqlite", "ledger.sqlite-shm", "ledger.sqlite-wal", "lock"])
        for file in files { #expect(try mode(of: database.directory.path + "/" + file) == 0o600, "\(file)") }
    }

    @Test(arguments: [0o701, 0o710, 0o740, 0o702, 0o777])
    func aDirectoryOpenToOthersIsRefused(_ mode: mode_t) throws {
        let home = try TestHome()
        try home.directory().make()
        #expect(chmod(home.path, mode) == 0)
        let error = StoreError.unusable(
            "the state directory \(home.path) is open to other users", remedy: "chmod 700 \(home.path)")
        #expect(throws: error) { try home.database().record() }
        #expect(throws: error) { try home.database().update { $0 } }
    }

    @Test func aDatabaseOpenToOthersIsRefused() throws {
        let home = try TestHome()
        try home.database().update { $0 }
        let file = try home.directory().database
        #expect(chmod(file, 0o640) == 0)
        let error = StoreError.unusable("the database \(file) is open to other users", remedy: "chmod 600 \(file)")
        #expect(throws: error) { try home.database().record() }
    }

    @Test func anotherUsersDirectoryIsRefused() throws {
        let home = try TestHome()
        try home.directory().make()
        try AnotherUser.owning(home.path) {
            let error = #expect(throws: StoreError.self) { try home.directory().exists() }
            #expect(error?.reason.contains("belongs to another user") == true)
        }
    }

    @Test func aFileInItsPlaceIsRefused() throws {
        let home = try TestHome()
        #expect(FileManager.default.createFile(atPath: home.path, contents: nil))
        let error = StoreError.unusable("\(home.path) is not a directory", remedy: "choose another with --home")
        #expect(throws: error) { try home.directory().make() }
    }
}
