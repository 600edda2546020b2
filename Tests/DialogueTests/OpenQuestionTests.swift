import ApprovalModel
import Approvals
import Basics
import Dialogue
import FoundationEssentials
import Testing

private let now = Date(timeIntervalSince1970: 1_900_000_000)

private func card(_ content: UInt8 = 1, in connection: String = "fern", isPending: Bool = true) throws -> Card {
    Card(
        Authorization(
            connection: ConnectionGUID("c-1"), id: try #require(BankID("7")), status: isPending ? .pending : .denied,
            title: BankText("Login"), content: AuthorizationContent(parts: [.text(BankText("x"))]),
            source: BankText("{}"), code: nil, createdAt: nil, expiresAt: now + 300,
            fingerprint: try #require(Fingerprint(bytes: Array(repeating: content, count: 32)))),
        bank: BankText("Fern Bank"), host: "fern.example", connection: try #require(ConnectionName(connection)))
}

@Suite struct OpenQuestions {
    private func ending(_ events: Event.Kind..., at moment: Date = now) throws -> Failure.Kind? {
        var question = OpenQuestion(about: try card())
        for kind in events { question.take(Event(kind, at: now), at: moment) }
        return question.ending?.kind
    }

    @Test func anEventThatEndsTheRequestEndsIt() throws {
        let (same, other) = (try card(), try card(2))
        let elsewhere = try card(2, in: "oak")
        for (events, kind) in [
            ([.added(same)], nil), ([.changed(other)], .changed), ([.added(other)], .changed),
            ([.changed(elsewhere)], nil), ([.removed(same, renamedTo: nil)], .notFound),
            ([.removed(other, renamedTo: nil)], nil), ([.removed(same, renamedTo: "oak:7")], nil),
            ([.recovered(connection: "fern")], nil), ([.unlocked], nil), ([.locked], .locked), ([.waiting(1)], .locked),
        ] as [([Event.Kind], Failure.Kind?)] {
            #expect(try ending(events[0]) == kind, "\(events)")
        }
        #expect(try ending(.removed(same, renamedTo: "oak:7"), .changed(elsewhere)) == .changed)
        #expect(try ending(.removed(same, renamedTo: "oak:7"), .changed(other)) == nil)
        // The first reason counts, unless it had expired by then.
        #expect(try ending(.locked, .removed(same, renamedTo: nil)) == .locked)
        #expect(try ending(.removed(same, renamedTo: nil), at: now + 300) == .expired)
    }

    @Test func onlyARequestThatIsOnTheListIsReported() throws {
        var question = OpenQuestion(about: try card())
        #expect(!question.isListed)
        question.take(Event(.added(try card(2, in: "oak")), at: now), at: now)
        #expect(!question.isListed)
        question.take(Event(.added(try card()), at: now), at: now)
        #expect(question.isListed)
    }

    @Test func theBanksAnswerAboutItAloneEndsItToo() throws {
        for (served, kind) in [
            (.success(try card()), nil), (.success(try card(isPending: false)), .notFound),
            (.failure(Failure.gone), .notFound), (.failure(Failure(.unreachable, "no answer")), nil),
        ] as [(Result<Card, any Error>, Failure.Kind?)] {
            var question = OpenQuestion(about: try card())
            question.take(served, at: now)
            #expect(question.ending?.kind == kind)
            #expect(question.takeEnding()?.kind == kind && question.ending == nil)
        }
    }
}
