import Basics
import Keys
import Testing
@testable import Vault

struct PINRulesTests {
    @Test(arguments: [
        "275910", "2759104736281905", "112233", "121212", "123457", "correct horse", "pässwörd", "aaaaaaab",
        "12345678x",
        String(repeating: "ab", count: 128),
    ])
    func isTaken(_ pin: String) throws {
        try PINRules.check(secret(pin))
    }

    @Test(
        arguments: [
            ("", .tooShort), ("27591", .tooShort), ("1", .tooShort), ("27591a", .tooShort), ("päßwörd", .tooShort),
            ("27591047362819055", .tooLong), (String(repeating: "ab", count: 128) + "c", .tooLong),
            (String(repeating: "😀🙃", count: 129), .tooLong), ("000000", .trivial), ("9999999999999999", .trivial),
            ("123456", .trivial), ("654321", .trivial), ("890123", .trivial), ("210987", .trivial),
            ("0123456789012345", .trivial), ("aaaaaaaa", .trivial), ("abcdefgh", .trivial), ("hgfedcba", .trivial),
            ("ääääääää", .trivial),
        ] as [(String, PINError)])
    func isRefused(_ pin: String, _ error: PINError) throws {
        #expect(throws: error) { try PINRules.check(secret(pin)) }
    }
}
