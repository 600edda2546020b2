import Basics
import Dialogue
import Display
import Foundation
import SessionModel
import Sessions
import Testing

private let inWindows = Audience.person(typesWords: false)
private let onTerminal = Audience.person(typesWords: true)

/// A program's request for tokens of one of these sessions.
func request(of sessions: String...) throws -> RequestPayload {
    let choices = sessions.map {
        #"{"session":"\#($0)","account":"mira","host":"\#($0).example","scopes":["mail"],"resources":["https://api.example/"]}"#
    }
    let text = """
        {"id":"3f9a1c22","at":"2026-01-01T00:00:00Z","expiresAt":"2026-01-01T00:10:00Z","kinds":["access"],
         "program":{"kind":"unit","name":"backup.service"},"requester":["backup","systemd"],"changeable":true,
         "claims":{"name":"Backup"},"session":null,"account":null,"host":null,"scopes":[],"resources":[],
         "choices":[\(choices.joined(separator: ","))]}
        """
    return try JSONDecoder().decode(RequestPayload.self, from: Data(text.utf8))
}

/// Gives these answers one after the other. Returns the questions, and how it ended.
private func walk(_ dialogue: GrantDialogue, _ answers: Answer...) -> ([Ask], GrantDialogue.Next) {
    var (dialogue, answers, asks) = (dialogue, answers[...], [Ask]())
    var next = dialogue.next()
    while case .ask(let ask) = next {
        asks.append(ask)
        next = dialogue.next(answers.popFirst())
    }
    return (asks, next)
}

private let vouch = "Send tokens to this service?"

/// `proof`: `person` if the person must vouch for it.
private func siteOffer(_ proof: String) throws -> SiteOfferPayload {
    try JSONDecoder().decode(
        SiteOfferPayload.self,
        from: Data(
            """
            {"offer":{"rule":"https://api.example/","session":"fern","account":null,"issuer":"fern.example","scopes":[],
             "resource":null,"onChallenge":false,"realm":null,"username":null,"verified":"\(proof)"}}
            """.utf8))
}

private func unexpected(_ end: Any) { Issue.record("\(end)") }

private func headlines(_ asks: [Ask]) -> [String] {
    asks.map { ask in
        switch ask {
        case .grant: "card"
        case .yesNo(let question): question.headline.description
        default: "?"
        }
    }
}

@Suite struct GrantDialogues {
    private let which = "Which session may this program use?"
    private let when = "Also when nobody is here?"

    @Test func aTerminalHasEverythingButThePINByOptions() throws {
        let life = try AllowOptions(.asked, seconds: 3600)
        let (asks, end) = walk(GrantDialogue(try request(of: "fern"), for: life, before: onTerminal), .yes)
        #expect(headlines(asks) == ["card"])
        guard case .prove(let granted) = end else { return unexpected(end) }
        #expect(granted.session == "fern" && granted.life == life)
        // The time stands on the card, since nothing asks for it.
        #expect(granted.act.facts.last?.line == "When: with the PIN each time, for 60 minutes")
    }

    @Test(arguments: [onTerminal, .nobody]) func severalSessionsAreNamedOnATerminal(_ audience: Audience) throws {
        let life = try AllowOptions()
        let several = try request(of: "fern", "oak")
        let (asks, end) = walk(GrantDialogue(several, for: life, before: audience))
        #expect(asks.isEmpty && end == .end(SessionError.needsChoice(id: "3f9a1c22", ["fern", "oak"]).failure))
        guard case .prove(let granted) = walk(GrantDialogue(several, of: "oak", for: life, before: audience), .yes).1
        else { return unexpected("another end") }
        #expect(granted.session == "oak")
    }

    @Test func aWindowAsksForSessionAndTime() throws {
        let several = try request(of: "fern", "oak")
        for (answer, use) in [(Answer.yes, ProgramGrant.Use.unlocked), (.no, .open)] {
            let (asks, end) = walk(GrantDialogue(several, before: inWindows), .no, .yes, .yes, answer)
            #expect(headlines(asks) == [which, which, "card", when])
            guard case .prove(let granted) = end else { return unexpected(end) }
            #expect(
                try granted.session == "oak" && granted.terms().session?.text == "oak" && granted.terms().use == use
                    && granted.act == .tokens(GrantCard(several, several.choices[1])))
        }
        #expect(
            headlines(walk(GrantDialogue(try request(of: "fern"), before: inWindows), .yes, .no).0) == ["card", when])
    }

    /// A session that nobody chose, or a card that nobody read to its end.
    @Test func aNoRefusesTheProgram() throws {
        let several = try request(of: "fern", "oak")
        #expect(walk(GrantDialogue(several, before: inWindows), .no, .no).1 == .refuse)
        #expect(walk(GrantDialogue(several, before: inWindows), .yes, .no).1 == .refuse)
        #expect(walk(GrantDialogue(try request(of: "fern"), before: inWindows), .no).1 == .refuse)
        var once = GrantDialogue(try request(of: "fern"), before: inWindows)
        #expect(once.next() != .refuse && once.next() == .refuse && once.next(.yes) == .refuse)
    }

    @Test func windowsOfferFiveSessionsAtMost() throws {
        let many = try request(of: "ash", "birch", "elm", "fern", "oak", "yew")
        let (asks, end) = walk(GrantDialogue(many, before: inWindows))
        guard case .end(let failure) = end else { return unexpected(end) }
        #expect(asks.isEmpty && failure.kind == .ambiguous)
    }

    @Test func aGrantWhoseTermsStandShowsItsCard() throws {
        let asked = try request(of: "fern")
        let card = GrantCard(asked, asked.choices[0])
        #expect(walk(GrantDialogue(.use(card)), .yes).0 == [.grant(.use(card))])
        #expect(walk(GrantDialogue(.use(card)), .no).1 == .refuse)
        let life = try AllowOptions(.asked)
        guard case .grant(.tokens(let added))? = walk(GrantDialogue(adding: card, for: life), .yes).0.first else {
            return unexpected("no card")
        }
        #expect(added.facts.last?.line == "When: with the PIN each time")
    }

    @Test(arguments: [
        (proof: "person", isAgreed: false, hasPIN: true, asks: ["card", vouch]),
        ("person", true, true, ["card"]), ("person", false, false, ["card"]), ("metadata", false, true, ["card"]),
    ])
    func aServiceIsVouchedForOnceByYesOrPIN(proof: String, isAgreed: Bool, hasPIN: Bool, asks: [String]) throws {
        let offer = try siteOffer(proof)
        for audience in [onTerminal, inWindows] {
            let dialogue = GrantDialogue(offer, isAgreed: isAgreed, hasPIN: hasPIN, before: audience)
            let (asked, end) = walk(dialogue, .yes, .yes)
            guard case .prove(let granted) = end else { return unexpected(end) }
            #expect(headlines(asked) == asks && granted.act == .site(offer.facts))
            guard asks.count == 2 else { continue }
            #expect(walk(dialogue, .yes, .no).1 == .end(.cancelled))
        }
        guard asks.count == 2 else { return }
        guard
            case .end(let failure) = walk(GrantDialogue(offer, isAgreed: false, hasPIN: true, before: .nobody), .yes).1
        else { return unexpected("no end") }
        #expect(failure.kind == .locked)
    }

    @Test func moreTimeTakesTheCardAndThePIN() throws {
        let facts = try SignOutChange(until: SignOutRule("8h"), keep: nil).facts(of: "fern")
        let (asks, end) = walk(GrantDialogue(.stay(facts)), .yes)
        guard case .prove(let granted) = end else { return unexpected(end) }
        #expect(headlines(asks) == ["card"] && granted.act == .stay(facts))
        #expect(facts.map(\.line) == ["Session: fern", "Sign out: 8h"])
    }

    @Test func theCardHasEveryFactInThisOrder() throws {
        let asked = try request(of: "fern")
        let choice = asked.choices[0]
        let card = GrantCard(asked, choice)
        #expect(
            card.facts.map(\.line) == [
                "Program: unit:backup.service", "It calls itself: Backup", "Session: fern", "Account: mira",
                "Issuer: fern.example", "Scopes: mail", "Service: https://api.example/",
                "Asked by: backup, started by: systemd", "Any of your programs could change this program's file.",
            ])
        let program = Program(.unit, "backup.service")
        let use = GrantCard(program, choice, .id, requester: ["backup"])
        #expect(
            use.facts.map(\.line) == [
                "Program: unit:backup.service", "Session: fern", "Account: mira", "Issuer: fern.example",
                "ID token: it proves to others who you are", "Asked by: backup",
            ])
        let added = GrantOptions(
            program, try #require(SessionName("fern")), scopes: nil, resources: [], kinds: [.access, .id],
            try AllowOptions())
        #expect(
            GrantCard(adding: added, of: nil, isChangeable: false).facts.map(\.line) == [
                "Program: unit:backup.service", "Session: fern", "Scopes: all of the session",
                "ID token: it proves to others who you are",
            ])
        #expect(Fact(try AllowOptions(.open, seconds: 120)).line == "When: while you are here, for 2 minutes")
    }
}

@Suite struct Agreements {
    private let question = Question.vouch(for: try! siteOffer("person"))

    private func walk(_ agreement: Agreement, _ answer: Answer?) -> (Int, Agreement.Next) {
        var (agreement, count) = (agreement, 0)
        var next = agreement.next()
        while case .ask = next {
            count += 1
            next = agreement.next(answer)
        }
        return (count, next)
    }

    @Test func aYesIsAskedForOnceOrGivenBeforehand() {
        for audience in [onTerminal, inWindows] {
            for (answer, end) in [
                (Answer.yes, Agreement.Next.agreed), (.no, .end(.cancelled)), (nil, .end(.cancelled)),
            ] {
                let (count, next) = walk(Agreement(question, isGiven: false, before: audience), answer)
                #expect(count == 1 && next == end)
            }
        }
        #expect(walk(Agreement(question, isGiven: true, before: .nobody), nil) == (0, .agreed))
    }

    @Test func whereNobodyIsItMustBeGiven() {
        let (count, next) = walk(Agreement(question, isGiven: false, before: .nobody), .yes)
        guard case .end(let failure) = next else { return unexpected(next) }
        #expect(count == 0 && failure.kind == .locked && failure.hint == "add --yes when this is right")
        #expect(walk(Agreement(question, isGiven: false, .onTerminal, before: .nobody), nil) == (0, .agreed))
        #expect(walk(Agreement(question, isGiven: false, .onTerminal, before: inWindows), nil) == (0, .agreed))
        #expect(
            walk(Agreement(question, isGiven: false, .onTerminal, before: onTerminal), .no) == (1, .end(.cancelled)))
    }
}
