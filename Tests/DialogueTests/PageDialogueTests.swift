import Approvals
import Basics
import Dialogue
import Display
import Foundation
import Sessions
import Testing

private let inWindows = Audience.person(typesWords: false)
private let onTerminal = Audience.person(typesWords: true)

func enrollmentOffer(bank: String = "Fern Bank", host: String = "fern.example") throws -> EnrollmentOfferPayload {
    let text = """
        {"bank":"\(bank)","source":"\(host)","host":"\(host)","account":"mira","notes":["A note."],"others":["b.example"]}
        """
    return try JSONDecoder().decode(EnrollmentOfferPayload.self, from: Data(text.utf8))
}

func loginOffer(session: String? = nil, page: String = "fern.example") throws -> LoginOfferPayload {
    let again = session.map { "\"\($0)\"" } ?? "null"
    let text = """
        {"issuer":"https://fern.example","hosts":{"issuer":"fern.example","page":"\(page)","tokens":"fern.example",
          "others":["keys.example"],"pageUnproven":\(page != "fern.example")},"client":null,"redirectUri":null,
         "mayMove":true,"scopes":["mail"],"resources":["https://api.example/"],"session":\(again)}
        """
    return try JSONDecoder().decode(LoginOfferPayload.self, from: Data(text.utf8))
}

@Suite struct PageDialogues {
    private typealias Enrollment = PageDialogue<ConnectionPayload>

    /// The name of a step, for lists.
    private func name<Result>(_ next: PageDialogue<Result>.Next) -> String {
        switch next {
        case .ask(.yesNo): "ask"
        case .ask(.notice): "notice"
        case .ask(.code): "code"
        case .ask: "?"
        case .accept: "accept"
        case .open: "open"
        case .wait(let failure): failure == nil ? "wait" : "wait again"
        case .done: "done"
        case .end(let error): "end: \(Failure(error).kind)"
        }
    }

    private func walk<Result>(
        _ dialogue: PageDialogue<Result>, _ events: PageDialogue<Result>.Event...
    ) -> [String] {
        var dialogue = dialogue
        return [name(dialogue.next())] + events.map { name(dialogue.next($0)) }
    }

    private func enrollment(_ audience: Audience = onTerminal, isAgreed: Bool = false) throws -> Enrollment {
        Enrollment(enrolling: try enrollmentOffer(), besides: [], isAgreed: isAgreed, before: audience)
    }

    private let page = try! WebAddress("https://fern.example/page")

    @Test func anEnrollmentAsksLeadsToThePageAndWaits() throws {
        let fern = try connection("fern")
        for audience in [onTerminal, inWindows] {
            #expect(
                walk(
                    try enrollment(audience), .answer(.yes), .page(page), .opened, .redirect(nil),
                    .redirect(.cancelled),
                    .redirect(nil), .done(fern), .redirect(nil))
                    == ["ask", "accept", "open", "wait", "wait", "wait again", "wait", "done", "done"])
        }
    }

    @Test func someBanksNeedNoPage() throws {
        #expect(walk(try enrollment(), .answer(.yes), .done(try connection("fern"))) == ["ask", "accept", "done"])
    }

    @Test func aDeviceFlowShowsItsCodeAndWaits() throws {
        let card = try deviceCard(at: "fern.example")
        let dialogue = Enrollment(enrolling: try enrollmentOffer(), besides: [], isAgreed: true, before: inWindows)
        let fern = try connection("fern")
        #expect(
            walk(dialogue, .answer(.yes), .code(card), .answer(.yes), .done(fern))
                == ["notice", "accept", "code", "wait", "done"])
        let declined = "end: \(Failure(EnrollmentError.declined).kind)"
        #expect(walk(dialogue, .answer(.yes), .code(card), .answer(.no)) == ["notice", "accept", "code", declined])
    }

    private func deviceCard(at host: String) throws -> DeviceCard {
        let code = """
            {"userCode":"WDJB-MJHT","verificationUri":"https://\(host)/device","verificationUriComplete":null,"expiresIn":600}
            """
        return DeviceCard(
            try JSONDecoder().decode(DeviceCodePayload.self, from: Data(code.utf8)), agreed: try loginOffer().hosts)
    }

    @Test func aCodeForAPageElsewhereIsWarnedOf() throws {
        let own = try deviceCard(at: "fern.example")
        #expect(own.warning == nil && own.caution.hasSuffix("This one is yours alone."))
        let other = try deviceCard(at: "oak.example")
        #expect(other.warning?.hasPrefix("the page is at oak.example, not at fern.example: ") == true)
        #expect(!other.caution.contains("yours alone"))
    }

    /// A result that nobody agreed to does not count.
    @Test func nothingIsMadeBeforeTheYes() throws {
        let declined = "end: \(Failure(EnrollmentError.declined).kind)"
        #expect(walk(try enrollment(), .answer(.no), .answer(.yes)) == ["ask", declined, declined])
        #expect(walk(try enrollment(), .done(try connection("fern"))) == ["ask", declined])
        #expect(walk(try enrollment(.nobody)) == ["end: locked"])
        #expect(walk(try enrollment(.nobody, isAgreed: true), .answer(.yes)) == ["notice", "accept"])
    }

    @Test func theEndOfTheWaitSaysWhy() throws {
        func end(_ events: [Enrollment.Event]) throws -> (any Error)? {
            var dialogue = try enrollment()
            var next = dialogue.next()
            for event in [.answer(.yes), .page(page), .opened] + events { next = dialogue.next(event) }
            if case .end(let error) = next { return error }
            return nil
        }
        #expect(try end([.silence(hasInput: true)]) as? EnrollmentError == EnrollmentError.waitOver)
        #expect(try end([.silence(hasInput: false)]) as? EnrollmentError == EnrollmentError.noAddress)
        // The last redirect that did not prove good says more.
        #expect(try end([.redirect(.gone), .redirect(nil), .silence(hasInput: true)]) as? Failure == .gone)
    }

    /// A hint is about the end of the undertaking, but a lock can be opened meanwhile.
    @Test func aNoticeHasTheHintOfALockAlone() throws {
        for (failure, outcome, hint) in [
            (Failure(.refused, "no", hint: "try again"), RedirectOutcome.notAccepted, nil),
            (Failure(.locked, "locked", hint: "countersign unlock"), .locked, "countersign unlock"),
        ] {
            var dialogue = try enrollment()
            for event in [nil, .answer(.yes), .page(page), .opened] as [Enrollment.Event?] { _ = dialogue.next(event) }
            #expect(Enrollment.Event.redirect(failure).outcome == outcome)
            guard case .wait(let notice?) = dialogue.next(.redirect(failure)) else {
                Issue.record("no notice")
                return
            }
            #expect(notice.message == failure.message && notice.hint == hint)
            // The end says all of it.
            guard case .end(let error) = dialogue.next(.silence(hasInput: true)) else {
                Issue.record("no end")
                return
            }
            #expect(error as? Failure == failure)
        }
    }

    @Test func theQuestionNamesEveryHost() throws {
        let known = [
            try connection("fern", host: "fern.example"), try connection("fern-2", host: "other.example"),
            try connection("oak", bank: "Oak"),
        ]
        var dialogue = Enrollment(enrolling: try enrollmentOffer(), besides: known, isAgreed: false, before: onTerminal)
        guard case .ask(.yesNo(let question)) = dialogue.next() else {
            Issue.record("no question")
            return
        }
        #expect(
            question.sentences == [
                "A note.", "This bank is connected already, as fern.",
                "Warning: fern-2 has the same name, and is at another host: other.example.",
                "fern.example; also b.example (Fern Bank, account mira) wants to connect this computer. Continue?",
            ])
        #expect(
            question.facts.map(\.line) == [
                "Host: fern.example; also b.example", "Bank: Fern Bank", "Account: mira", "A note.",
                "This bank is connected already, as fern.",
                "Warning: fern-2 has the same name, and is at another host: other.example.",
            ])
    }

    @Test(arguments: [nil, "fern"]) func aLoginShowsTheSameFactsInEveryWindow(_ session: String?) throws {
        var dialogue = PageDialogue<SignedInPayload>(
            signingIn: try loginOffer(session: session, page: "page.example"),
            account: session.map { _ in DisplayText("mira") }, secretFile: session == nil ? "/s" : nil, isAgreed: false,
            before: inWindows)
        guard case .ask(.yesNo(let question)) = dialogue.next() else {
            Issue.record("no question")
            return
        }
        #expect(question.headline.description == (session == nil ? "Sign in at this issuer?" : "Sign in again?"))
        #expect(
            question.facts.map(\.line) == (session == nil ? [] : ["Session: fern", "Account: mira"]) + [
                "Issuer: fern.example", "Page: page.example", "Other calls go to: keys.example", "Scopes: mail",
                "Service: https://api.example/", "This program is registered there anew.",
            ] + (session == nil ? ["It gets the secret in: /s"] : []) + [
                "The page is not at the issuer, which does not promise to prove that it is its own: go on only if you know both."
            ])
        #expect(question.sentences.last?.hasSuffix("go on only if you know both. Continue?") == true)
        guard case .accept = dialogue.next(.answer(.yes)) else {
            Issue.record("not agreed")
            return
        }
    }
}
