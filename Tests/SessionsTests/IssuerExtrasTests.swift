import FoundationEssentials
import Testing

@testable import SessionModel

/// What may be added to requests.
struct IssuerExtrasTests {
    @Test(arguments: [
        ("hd", "fern.example", true), ("ui_locales", "nl", true), ("access_type", "", true),
        ("audience", "https://api.example", true),
        ("scope", "x", false), ("State", "x", false), ("prompt", "none", false), ("redirect_uri", "x", false),
        ("request", "x", false), ("response_mode", "fragment", false), ("resource", "x", false), ("", "x", false),
        ("a b", "x", false), ("a&b", "x", false), ("ä", "x", false), ("hd", "a\nb", false),
        ("hd", String(repeating: "a", count: 2049), false),
    ])
    func aParameter(_ row: (name: String, value: String, isTaken: Bool)) {
        #expect((IssuerExtras.none.adding(row.name, row.value) != nil) == row.isTaken)
    }

    @Test func anAudienceIsOneOfOursWhereResourcesAreNamedSo() {
        #expect(IssuerExtras(resourceParameter: .audience).adding("audience", "x") == nil)
    }

    @Test func theLastValueCounts() throws {
        let extras = try #require(IssuerExtras.none.adding("hd", "a")?.adding("b", "1")?.adding("hd", "c"))
        #expect(extras.sortedParameters.map { "\($0)=\($1)" } == ["b=1", "hd=c"])
        #expect(try JSONDecoder().decode(IssuerExtras.self, from: JSONEncoder().encode(extras)) == extras)
    }
}

/// The languages that an issuer's page is asked for in.
struct LanguageTagsTests {
    @Test(
        arguments: [
            ("de_AT.UTF-8", "de-AT de"), ("en_US", "en-US en"), ("nl", "nl"), ("sr_RS@latin", "sr-Latn-RS sr"),
            ("de_DE.ISO-8859-15@euro", "de-DE de"), ("es_419", "es-419 es"), ("DE_at", "de-AT de"), ("C", ""),
            ("C.UTF-8", ""), ("POSIX", ""), ("", ""), ("de_", ""), ("de_A&T", ""), ("de\u{1B}", ""), ("../de", ""),
        ])
    func aLocale(_ row: (name: String, tags: String)) {
        #expect(LanguageTags(locale: row.name).all.joined(separator: " ") == row.tags)
    }

    @Test(arguments: [
        (["de-AT", "de"], true), ([], true), (["de AT"], false), (["de-"], false), ([""], false), (["de\u{1B}"], false),
        (Array(repeating: "de", count: 9), false),
    ])
    func tags(_ row: (tags: [String], areTaken: Bool)) {
        #expect((LanguageTags(row.tags) != nil) == row.areTaken)
    }
}
