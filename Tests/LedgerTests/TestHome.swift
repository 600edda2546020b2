import Foundation
import GRDB
import Glibc
import Keys
@testable import Ledger
import Testing

/// A state directory of its own for one test; gone with the test.
final class TestHome: Sendable {
    let parent: String
    let path: String

    /// `place`: the directory of the home's own; one in memory where the disk does not matter.
    init(in place: String = "/tmp") throws {
        var template = Array("\(place)/ledger-test-XXXXXX".utf8CString)
        // The template is ours, ends with a null byte, and mkdtemp writes within its length.
        try #require(mkdtemp(&template) != nil)
        parent = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = parent + "/home"
    }

    deinit {
        try? FileManager.default.removeItem(atPath: parent)
    }

    func directory() throws -> StateDirectory {
        try StateDirectory(home: path, environment: [:])
    }

    func database(patience: Duration = .seconds(10)) throws -> StateDatabase {
        StateDatabase(try directory(), patience: patience)
    }

    /// Runs SQL behind the ledger's back.
    func tamper(_ sql: String) throws {
        try DatabaseQueue(path: directory().database).write { try $0.execute(sql: sql) }
    }

    func fetch<R: DatabaseValueConvertible & Sendable>(_ sql: String) throws -> [R] {
        try DatabaseQueue(path: directory().database).read { try R.fetchAll($0, sql: sql) }
    }

    /// Every file in the home with its bytes.
    func files() throws -> [String: Data] {
        try FileManager.default.contentsOfDirectory(atPath: path).reduce(into: [:]) { files, name in
            files[name] = FileManager.default.contents(atPath: path + "/" + name)
        }
    }
}

func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
}

/// Whether a store refused because it was changed from outside, whatever its words.
func isDamaged(_ error: any Error) -> Bool {
    if case StoreError.damaged = error { true } else { false }
}
