import FoundationEssentials
import Testing

@testable import Sessions

/// What may be added to requests.
struct IssuerExtrasTests {
    @Test(arguments: [
        ("hd", "fern.example", true), ("access_type", "", true), ("audience", "https://api.example", true),
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
