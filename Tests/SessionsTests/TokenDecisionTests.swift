import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

@testable import Sessions

/// Who may have a token, for each kind of caller and each thing that may stand in the way.
struct TokenDecisionTests {
    private static let now = Date(timeIntervalSince1970: 1_900_000_000)

    private static func session(_ name: String) throws -> SignIn {
        let issuer = try #require(Issuer("https://id.fern.example"))
        return SignIn(
            id: SessionID(name), name: try #require(SessionName(name)),
            issuer: IssuerMetadata(
                issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: now),
            client: ClientRegistration(id: BankText("c")), asked: .none, granted: try #require(Scopes("a b")),
            resources: [], identity: nil, at: now)
    }

    /// A caller who wants a token of `wanted` (of the issuer if it is nil) beside the sessions `fern` and `oak`. `grants`: those of
    /// `backup`, as `session use scopes`.
    struct Row: Sendable {
        var asker = "backup"
        var grants: [String] = []
        var wanted: String? = "fern"
        var scopes: String?
        var hasEnded = false
        /// While sessions are at hand, and while asleep.
        var expected: (atHand: String, asleep: String)
    }

    @Test(arguments: [
        // The person needs no grant, and gets each error of the search.
        Row(asker: "person", expected: ("yes fern all -", "locked")),
        Row(asker: "person", wanted: "moss", expected: ("throws", "throws")),
        Row(asker: "person", wanted: nil, expected: ("throws", "throws")),
        Row(asker: "person", hasEnded: true, expected: ("yes fern all -", "locked")),
        // A program gets what a grant covers, when the grant says.
        Row(grants: ["fern open a+b"], expected: ("yes fern all 0", "locked")),
        Row(grants: ["fern unlocked a+b"], expected: ("yes fern all 0", "yes fern all 0")),
        Row(grants: ["fern asked a+b"], expected: ("PIN fern all 0", "locked")),
        Row(grants: ["fern asked a+b", "fern open a+b"], expected: ("yes fern all 1", "locked")),
        Row(grants: ["fern open a"], expected: ("yes fern a 0", "locked")),
        Row(grants: ["fern open a"], scopes: "b", expected: ("asks fern", "locked")),
        Row(grants: ["oak open a+b"], expected: ("asks fern", "locked")),
        // Without a grant the person is asked, and the program hears nothing of what there is.
        Row(expected: ("asks fern", "locked")),
        Row(asker: "nobody", grants: ["fern open a+b"], expected: ("asks fern", "locked")),
        Row(asker: "mail", grants: ["fern unlocked a+b"], expected: ("asks fern", "locked")),
        Row(wanted: "moss", expected: ("nothing", "locked")),
        Row(scopes: "c", expected: ("nothing", "locked")),
        Row(grants: ["fern unlocked a+b"], wanted: "moss", expected: ("nothing, known", "locked")),
        // Where several sessions fit, a program means its own.
        Row(wanted: nil, expected: ("asks fern oak", "locked")),
        Row(grants: ["oak unlocked a+b"], wanted: nil, expected: ("yes oak all 0", "yes oak all 0")),
        // A session that ended is told of before the person is asked, but to a program with a grant alone.
        Row(grants: ["fern asked a+b"], hasEnded: true, expected: ("signed out fern", "signed out fern")),
        Row(grants: ["fern open a"], scopes: "b", hasEnded: true, expected: ("signed out fern", "signed out fern")),
        Row(grants: ["fern unlocked a+b"], hasEnded: true, expected: ("yes fern all 0", "yes fern all 0")),
        Row(hasEnded: true, expected: ("asks fern", "locked")),
    ])
    func aCallerAndAGrant(_ row: Row) throws {
        #expect(try told(row, .atHand) == row.expected.atHand)
        #expect(try told(row, .asleep) == row.expected.asleep)
    }

    private func told(_ row: Row, _ readiness: HandOutRules.Readiness) throws -> String {
        let grants = try row.grants.enumerated().map { index, words in
            let words = words.split(separator: " ").map(String.init)
            return ProgramGrant(
                id: String(index), program: Program(.unit, "backup.service"), session: SessionID(words[0]),
                scopes: try #require(Scopes(words[2].replacing("+", with: " "))), resources: [],
                use: try #require(ProgramGrant.Use(rawValue: words[1])), at: Self.now)
        }
        let asker: TokenAsker =
            switch row.asker {
            case "person": .person
            case "nobody": .program(nil)
            default: .program(Program(.unit, row.asker + ".service"))
            }
        let decision: TokenDecision
        do {
            decision = try HandOutRules(grants, readiness, at: Self.now).decision(
                on: asker, among: [try Self.session("fern"), try Self.session("oak")],
                whyEnded: { row.hasEnded ? .ranOut($0.session) : nil },
                find: { sessions in
                    TokenChoice(
                        session: try SessionLookup(sessions).session(row.wanted ?? "https://id.fern.example"),
                        aim: TokenAim(scopes: row.scopes.flatMap { Scopes($0) }), rejected: nil)
                })
        } catch is SessionError { return "throws" }
        func words(_ choice: TokenChoice, _ grant: ProgramGrant?) -> String {
            let scopes = choice.aim.scopes.map { $0.all.joined(separator: "+") } ?? "all"
            return "\(choice.session.name.text) \(scopes) \(grant?.id ?? "-")"
        }
        return switch decision {
        case .yes(let choice, let grant): "yes \(words(choice, grant))"
        case .afterPIN(let choice, let grant): "PIN \(words(choice, grant))"
        case .needsGrant(let choices): "asks " + choices.map(\.session.name.text).joined(separator: " ")
        case .nothing(let isKnown): isKnown ? "nothing, known" : "nothing"
        case .locked: "locked"
        case .signedOut(let choice, _): "signed out \(choice.session.name.text)"
        }
    }
}
