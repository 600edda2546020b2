import ApprovalModel
import Approvals
import Basics
import FoundationEssentials
import Testing
import WindowModel

/// The tab of banks, with these connections.
private struct Banks {
    var model = WindowModel()
    var effects: [WindowEffect] = []
    private let moment = ContinuousClock.Instant.now
    private let now = Date(timeIntervalSince1970: 1_900_000_000)

    init(_ connections: ConnectionPayload...) throws {
        take(.connected(isOpen: true, waiting: nil))
        take(.show(.banks))
        try #require(effects.contains { if case .bank(.list) = $0 { true } else { false } })
        take(.bank(.connections(.success(try answer(connections)))))
    }

    mutating func take(_ event: WindowEvent) { effects = model.take(event, at: now, moment) }
    mutating func add(_ event: AddingEvent) { take(.bank(.adding(event))) }

    var screen: Screen { model.screen(at: now, moment) }
    var list: Screen.Banks? { if case .banks(let banks) = screen { banks } else { nil } }
    var bank: Screen.Bank? { if case .bank(let bank) = screen { bank } else { nil } }
    var asking: Screen.Asking? { if case .asking(let asking) = screen { asking } else { nil } }
    var step: Screen.AddBank? { if case .addBank(let step) = screen { step } else { nil } }
    var ways: Screen.Trouble?? { if case .ways(_, let trouble)? = step { trouble } else { nil } }

    /// The act that leaves the window.
    var act: BankAct? {
        for case .bank(.act(let act, _)) in effects { return act }
        return nil
    }
    /// The enrollment that leaves the window.
    var enrollment: (request: EnrollmentRequest, attempt: Int)? {
        for case .bank(.enroll(let request, _, let attempt)) in effects { return (request, attempt) }
        return nil
    }
    var abandons: Bool { effects.contains { if case .bank(.abandon) = $0 { true } else { false } } }
}

private func answer(_ connections: [ConnectionPayload]) throws -> ConnectionsPayload {
    let rows = String(decoding: try JSONEncoder().encode(connections), as: UTF8.self)
    return try JSONDecoder().decode(ConnectionsPayload.self, from: Data("{\"connections\":\(rows)}".utf8))
}

private func connection(_ name: String, bank: String = "Fern Bank", status: String = "active") throws
    -> ConnectionPayload
{
    let text = """
        {"name": "\(name)", "bank": "\(bank)", "host": "sca.fernbank.example", "id": "7", "status": "\(status)",
         "protocol": "saltedge-v1", "createdAt": "2026-03-03T10:00:00Z", "updatedAt": "2026-03-03T10:00:00Z",
         "account": null, "supportEmail": "help@fernbank.example", "attemptsLeft": null, "attemptsLeftAt": null,
         "blockedUntil": null, "wantsBiometrics": false}
        """
    return try JSONDecoder().decode(ConnectionPayload.self, from: Data(text.utf8))
}

@Suite struct ListedBanks {
    @Test func anEmptyListIsNotAnUnknownOne() throws {
        var banks = try Banks()
        #expect(banks.list?.rows == [])
        banks.take(.show(.requests))
        banks.take(.heard(Event(.locked, at: Date())))
        banks.take(.heard(Event(.unlocked, at: Date())))
        banks.take(.show(.banks))
        #expect(banks.list?.rows == nil, "a lock takes the list away")
    }

    @Test(arguments: [
        ("active", "active", false), ("unconfirmed", "unconfirmed", true), ("doubtful", "doubtful", true),
        ("blocked", "blocked", true), ("inactive", "inactive", true),
    ])
    func aStatusIsAWordWithItsNextStep(_ status: String, _ word: String, _ hasAdvice: Bool) throws {
        var banks = try Banks(connection("fern", status: status))
        #expect(banks.list?.rows?.first?.status.word == word)
        banks.take(.bank(.open("fern")))
        #expect((banks.bank?.advice != nil) == hasAdvice)
    }

    @Test func whatABankWroteIsOneSafeLine() throws {
        let banks = try Banks(connection("fern", bank: "Fern\\nBank\\u202e <b>"))
        let row = try #require(banks.list?.rows?.first)
        #expect(!row.bank.contains("\n") && !row.bank.contains("\u{202e}") && row.bank.contains("<b>"))
    }
}

@Suite struct OneBank {
    @Test func disconnectingIsAskedOnceAndTellsWhatGoes() throws {
        var banks = try Banks(connection("fern"))
        banks.take(.bank(.open("fern")))
        banks.take(.bank(.disconnect))
        #expect(banks.act == nil)
        #expect(banks.asking?.isDestructive == true)
        #expect(banks.asking?.lines.contains { $0.value.contains("destroyed here") } == true)
        banks.take(.confirm(""))
        #expect(banks.act == .disconnect(localOnly: false))
        // A second press does nothing, and Back keeps what is under way in sight.
        banks.take(.confirm(""))
        #expect(banks.act == nil)
        banks.take(.back)
        #expect(banks.asking?.isBusy == true)
        banks.take(.bank(.done(.disconnect(localOnly: false), on: "fern", .success("fern"))))
        #expect(banks.list?.notice == "Disconnected: fern")
    }

    @Test(arguments: [(Failure.Kind.unreachable, true), (.refused, true), (.locked, false), (.internal, false)])
    func aBankThatIsNotToldCanBeLeftWithout(_ kind: Failure.Kind, _ mayGoOn: Bool) throws {
        var banks = try Banks(connection("fern"))
        banks.take(.bank(.open("fern")))
        banks.take(.bank(.disconnect))
        banks.take(.confirm(""))
        let failure = Failure(kind, "the bank does not answer")
        banks.take(.bank(.done(.disconnect(localOnly: false), on: "fern", .failure(failure))))
        #expect(banks.asking?.trouble?.message == "The bank does not answer.")
        #expect(banks.asking?.lines.contains { $0.value.contains("not told") } == mayGoOn)
        banks.take(.confirm(""))
        #expect(banks.act == .disconnect(localOnly: mayGoOn))
    }

    @Test func aNameIsCheckedHere() throws {
        var banks = try Banks(connection("fern"))
        banks.take(.bank(.open("fern")))
        banks.take(.bank(.rename))
        banks.take(.confirm("Not A Name"))
        #expect(banks.act == nil && banks.asking?.trouble != nil)
        banks.take(.confirm("treasury"))
        let name = try #require(ConnectionName("treasury"))
        #expect(banks.act == .rename(name))
        banks.take(.bank(.done(.rename(name), on: "fern", .success("treasury"))))
        banks.take(.bank(.connections(.success(try answer([connection("treasury")])))))
        #expect(banks.bank?.connection == "treasury")
    }

    @Test func aPageLeftTakesNoLateAnswer() throws {
        var banks = try Banks(connection("fern"), connection("rowan"))
        banks.take(.bank(.open("fern")))
        banks.take(.bank(.prove))
        banks.take(.back)
        banks.take(.bank(.open("rowan")))
        banks.take(.bank(.done(.prove, on: "fern", .success("fern"))))
        #expect(banks.bank?.notice == nil)
    }
}

@Suite struct AddingABank {
    @Test(arguments: [(0, "There is no QR code in the picture."), (2, "The picture has 2 codes.")])
    func aPictureHasOneCode(_ count: Int, _ words: String) throws {
        var banks = try Banks()
        banks.take(.bank(.add))
        banks.add(.picture("/tmp/code.png"))
        banks.add(.codes(attempt: 1, .success(Array(repeating: "authenticator://x", count: count))))
        #expect(banks.enrollment == nil && banks.ways??.message == words)
    }

    @Test func aCodeGoesToTheAgentAsItStands() throws {
        var banks = try Banks()
        banks.take(.bank(.add))
        banks.add(.readScreen)
        banks.add(.codes(attempt: 1, .success(["authenticator://x"])))
        #expect(banks.enrollment?.request == .link(GivenLink("authenticator://x"), name: nil))
    }

    @Test func aFailureStaysWhereTheLinkIs() throws {
        var banks = try Banks()
        banks.take(.bank(.add))
        banks.add(.paste)
        banks.add(.link("no link"))
        #expect(banks.step == .paste(nil, isBusy: true))
        banks.add(.ended(attempt: 1, .failure(.usage("this is not a link"))))
        guard case .paste(let trouble?, isBusy: false)? = banks.step else {
            Issue.record("\(banks.screen)")
            return
        }
        #expect(trouble.message == "This is not a link.")
    }

    @Test func whatBelongsToAnEarlierTryIsLeftOut() throws {
        var banks = try Banks()
        banks.take(.bank(.add))
        banks.take(.back)
        #expect(banks.abandons && banks.list != nil)
        banks.take(.bank(.add))
        banks.add(.page(attempt: 1, address: "https://fernbank.example", isOpened: true))
        banks.add(.ended(attempt: 1, .success(try connection("fern"))))
        #expect(banks.ways == .some(nil))
    }

    @Test func aReconnectBeginsWithoutALink() throws {
        var banks = try Banks(connection("fern"))
        banks.take(.bank(.open("fern")))
        banks.take(.bank(.reconnect))
        #expect(banks.enrollment?.request == .again("fern"))
        banks.add(.ended(attempt: 1, .failure(.usage("this bank takes a new link"))))
        #expect(banks.ways??.message == "This bank takes a new link.")
        banks.add(.paste)
        banks.add(.link("authenticator://x"))
        #expect(banks.enrollment?.request == .again("fern", link: GivenLink("authenticator://x")))
        banks.add(.ended(attempt: 1, .success(try connection("fern"))))
        #expect(banks.list?.notice == "Connected: Fern Bank")
    }

    @Test func aLockAndAnotherTabEndIt() throws {
        for event in [WindowEvent.lock, .show(.requests), .heard(Event(.locked, at: Date()))] {
            var banks = try Banks()
            banks.take(.bank(.add))
            banks.add(.paste)
            banks.add(.link("authenticator://x"))
            banks.take(event)
            #expect(banks.abandons)
        }
    }
}
