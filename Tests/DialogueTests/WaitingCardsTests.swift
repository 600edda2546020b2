import Approvals
import Basics
import Dialogue
import FoundationEssentials
import ApprovalModel
import Testing

private let now = Date(timeIntervalSince1970: 1_900_000_000)

private func card(_ id: Int, in seconds: Double? = nil, name: String = "fern", content: Int = 1) throws -> Card {
    Card(
        Authorization(
            connection: ConnectionGUID("c-1"), id: try #require(BankID("\(id)")), status: .pending,
            title: BankText("Pay"), content: AuthorizationContent(parts: [.text(BankText("x"))]),
            source: BankText("{}"),
            code: nil, createdAt: nil, expiresAt: seconds.map { now + $0 },
            fingerprint: try #require(Fingerprint(bytes: Array(repeating: UInt8(content), count: 32)))),
        bank: BankText("Fern Bank"), host: "fern.example", connection: try #require(ConnectionName(name)))
}

@Suite struct WaitingCardsTests {
    private func list(_ cards: Card...) -> WaitingCards {
        var list = WaitingCards(openedAt: now)
        for card in cards { _ = list.take(Event(.added(card), at: now)) }
        list.settle(at: now)
        return list
    }

    private func selected(_ list: WaitingCards) -> String? { list.selected?.reference }

    @Test func theNearestExpiryIsSelectedUntilACardWasSeen() throws {
        var list = list(try card(1), try card(2, in: 300))
        #expect(selected(list) == "fern:2")
        _ = list.take(Event(.added(try card(3, in: 60)), at: now))
        list.settle(at: now + 0.5)
        #expect(selected(list) == "fern:3", "nobody has read the other one")
        _ = list.take(Event(.added(try card(4, in: 30)), at: now))
        list.settle(at: now + 2)
        #expect(selected(list) == "fern:3")
        var touched = self.list(try card(2, in: 300))
        touched.touch()
        _ = touched.take(Event(.added(try card(3, in: 60)), at: now))
        touched.settle(at: now)
        #expect(selected(touched) == "fern:2")
    }

    @Test func cardsAreLaidAsideAndTakenUpAgain() throws {
        var list = list(try card(1, in: 1), try card(2, in: 2))
        for expected in ["fern:2", nil] {
            list.skip()
            list.settle(at: now)
            #expect(selected(list) == expected)
        }
        list.skip()
        list.settle(at: now)
        #expect(selected(list) == "fern:1")
    }

    @Test func stepsGoRoundAndPlacesAreThoseOfTheOrder() throws {
        var list = list(try card(1, in: 1), try card(2, in: 2), try card(3, in: 3))
        for (step, expected) in [(1, "fern:2"), (1, "fern:3"), (1, "fern:1"), (-1, "fern:3")] {
            list.step(by: step)
            #expect(selected(list) == expected)
        }
        list.choose(at: 1)
        #expect(selected(list) == "fern:2")
        let before = list.selections
        list.choose(at: 3)
        #expect(selected(list) == "fern:2" && list.selections == before)
        list.choose(at: 1)
        #expect(list.selections == before + 1, "it is read from its beginning")
    }

    @Test func aRenamedConnectionKeepsItsCard() throws {
        var list = list(try card(1), try card(2))
        list.touch()
        let old = try #require(list.selected)
        guard case .renamed(old.reference, "oak:1")? = list.take(Event(.removed(old, renamedTo: "oak:1"), at: now))
        else {
            Issue.record("it is gone")
            return
        }
        let added = list.take(Event(.added(try card(1, name: "oak")), at: now))
        #expect(added == nil)
        list.settle(at: now)
        #expect(selected(list) == "oak:1" && list.entries.count == 2)
    }

    @Test func changedContentIsReadFromItsBeginning() throws {
        var list = list(try card(1))
        let before = list.selections
        guard case .changed("fern:1")? = list.take(Event(.changed(try card(1, content: 2)), at: now)) else {
            Issue.record("not told")
            return
        }
        let replaced = try card(1, content: 2).fingerprint
        #expect(list.selections == before + 1 && list.selected?.fingerprint == replaced)
        let other = list.take(Event(.changed(try card(9)), at: now))
        #expect(other == nil)
    }

    @Test func whatIsOverLeavesTheList() throws {
        var list = list(try card(1, in: 10), try card(2, in: 20), try card(3))
        let early = list.expire(at: now + 9)
        #expect(early.isEmpty)
        let news = list.expire(at: now + 20)
        #expect(news.count == 2 && list.cards.map(\.reference) == ["fern:3"])
        guard case .gone? = list.take(Event(.removed(try card(3), renamedTo: nil), at: now)) else {
            Issue.record("still there")
            return
        }
        let twice = list.take(Event(.removed(try card(3), renamedTo: nil), at: now))
        #expect(list.isEmpty && twice == nil)
        list.settle(at: now)
        #expect(list.selected == nil)
    }

    /// Only a bank that had answered before has news.
    @Test func newsRingOnce() throws {
        var list = list(try card(1))
        let first = list.takeNews()
        list.bring(try card(2))
        let second = list.takeNews()
        #expect(!first && !second && selected(list) == "fern:2")
    }
}
