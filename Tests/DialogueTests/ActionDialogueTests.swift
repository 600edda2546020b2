import Approvals
import Basics
import Dialogue
import Foundation
import ApprovalModel
import Testing

private let inWindows = Audience.person(typesWords: false)
private let onTerminal = Audience.person(typesWords: true)

func connection(_ name: String, bank: String = "Fern Bank", host: String? = nil) throws -> ConnectionPayload {
    let text = """
        {"name":"\(name)","bank":"\(bank)","host":"\(host ?? name + ".example")","id":"1","status":"active",
         "protocol":"saltedge-v2","createdAt":"2026-01-01T00:00:00Z","updatedAt":"2026-01-01T00:00:00Z","account":null,
         "supportEmail":null,"attemptsLeft":null,"attemptsLeftAt":null,"blockedUntil":null,"wantsBiometrics":false}
        """
    return try JSONDecoder().decode(ConnectionPayload.self, from: Data(text.utf8))
}

private func claimed(_ reference: String?) throws -> ActionPayload {
    let shown = reference.map { "\"\($0)\"" } ?? "null"
    let text = #"{"action":{"connection":"fern","success":true,"authorization":\#(shown),"returnTo":null}}"#
    return try JSONDecoder().decode(ActionPayload.self, from: Data(text.utf8))
}

private func walk(_ dialogue: ActionDialogue, _ answers: Answer...) -> ([Ask], ActionDialogue.Next) {
    var (dialogue, answers, asks) = (dialogue, answers[...], [Ask]())
    var next = dialogue.next()
    while case .ask(let ask) = next {
        asks.append(ask)
        next = dialogue.next(answers.popFirst())
    }
    return (asks, next)
}

private func kind(_ next: ActionDialogue.Next) -> Failure.Kind? {
    if case .end(let failure) = next { failure.kind } else { nil }
}

@Suite struct ActionDialogues {
    private func dialogue(
        _ candidates: [ConnectionPayload], named name: String? = nil, known: [String] = ["fern", "oak"],
        isRequest: Bool = false, isAgreed: Bool = false, _ audience: Audience = onTerminal
    ) -> ActionDialogue {
        ActionDialogue(
            among: candidates, named: name, known: known, isRequest: isRequest, isAgreed: isAgreed, before: audience)
    }

    @Test func theOnlyConnectionIsClaimedAfterAYes() throws {
        let fern = try connection("fern")
        for audience in [onTerminal, inWindows] {
            let (asks, end) = walk(dialogue([fern], audience), .yes)
            #expect(asks.count == 1 && end == .claim(fern))
            #expect(kind(walk(dialogue([fern], audience), .no).1) == .cancelled)
        }
        #expect(walk(dialogue([fern], isAgreed: true, .nobody)) == ([], .claim(fern)))
        #expect(kind(walk(dialogue([fern], .nobody)).1) == .locked)
    }

    /// Its card is shown before anything is sent.
    @Test func aLinkThatIsTheRequestTakesNoYes() throws {
        let fern = try connection("fern")
        for audience in [onTerminal, inWindows, .nobody] {
            #expect(walk(dialogue([fern], isRequest: true, audience)) == ([], .claim(fern)))
        }
    }

    @Test func severalConnectionsAreOfferedOnATerminalUntilOneIsChosen() throws {
        let both = [try connection("fern"), try connection("oak")]
        let (asks, end) = walk(dialogue(both, isRequest: true), .typed("3"), .typed("elm"), .typed("2"))
        #expect(
            asks == [
                .connection(both, isAgain: false), .connection(both, isAgain: true), .connection(both, isAgain: true),
            ])
        #expect(end == .claim(both[1]))
        #expect(walk(dialogue(both, isRequest: true), .typed("fern")).1 == .claim(both[0]))
        let (more, chosen) = walk(dialogue(both), .typed("1"), .yes)
        #expect(more.count == 2 && chosen == .claim(both[0]))
        for answer in [Answer.typed(""), .no] { #expect(kind(walk(dialogue(both), answer).1) == .cancelled) }
        for audience in [inWindows, .nobody] { #expect(kind(walk(dialogue(both, audience)).1) == .ambiguous) }
    }

    @Test func aNamedConnectionMustFit() throws {
        let both = [try connection("fern"), try connection("oak")]
        #expect(walk(dialogue(both, named: "oak", isRequest: true, .nobody)).1 == .claim(both[1]))
        for name in ["elm", "yew"] {
            let (asks, end) = walk(dialogue(both, named: name, known: ["fern", "oak", "elm"]))
            #expect(asks.isEmpty && kind(end) == .notFound)
        }
        #expect(kind(walk(dialogue([], known: [])).1) == .notFound)
    }

    @Test func theSequelDependsOnTheFrontEnd() throws {
        let plain = dialogue([try connection("fern")])
        #expect(plain.sequel(try claimed(nil), showsCard: true, hasAgent: true) == .settled)
        #expect(plain.sequel(try claimed("fern:7"), showsCard: true, hasAgent: true) == .announced)
        let request = dialogue([try connection("fern")], isRequest: true)
        #expect(request.sequel(try claimed(nil), showsCard: true, hasAgent: true) == .end(.gone))
        #expect(request.sequel(try claimed("fern:7"), showsCard: true, hasAgent: false) == .decide("fern:7"))
        #expect(request.sequel(try claimed("fern:7"), showsCard: false, hasAgent: true) == .listed)
        guard case .end(let failure) = request.sequel(try claimed("fern:7"), showsCard: false, hasAgent: false)
        else {
            Issue.record("nobody sees it")
            return
        }
        #expect(failure.kind == .usage)
    }
}
