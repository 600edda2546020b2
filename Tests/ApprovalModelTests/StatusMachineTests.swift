import Basics
import ApprovalModel
import Testing

@Suite struct StatusMachineTests {
    static let words: [(String, AuthorizationStatus)] = [
        ("pending", .pending), ("confirm_processing", .confirmProcessing), ("deny_processing", .denyProcessing),
        ("confirmed", .confirmed), ("denied", .denied), ("error", .error), ("time_out", .timeOut),
        ("unavailable", .unavailable), ("closed", .closed), ("processing", .unknown(BankText("processing"))),
        ("Confirmed", .unknown(BankText("Confirmed"))), ("", .unknown(BankText(""))),
    ]
    static let finals: Set<AuthorizationStatus> = [.confirmed, .denied, .error, .timeOut, .unavailable, .closed]

    @Test(arguments: words) func wordOnTheWire(_ word: String, _ status: AuthorizationStatus) {
        #expect(AuthorizationStatus(word: word) == status && status.word == BankText(word))
        #expect(status.isFinal == Self.finals.contains(status))
    }

    /// From each status, before an answer was given here: a final one stays, else what is heard counts.
    @Test(arguments: words.map(\.1), words.map(\.1))
    func heardBeforeActing(_ from: AuthorizationStatus, _ word: AuthorizationStatus) {
        var machine = StatusMachine(from)
        machine.hear(word)
        #expect(machine.status == (from.isFinal ? from : word))
        #expect(machine.outcome == nil)
    }

    /// After it: each pair of words, in each order. `pending` and unknown words change nothing; the first final one stays.
    @Test(arguments: [Verdict.approve, .deny], words.map(\.1))
    func heardAfterActing(_ verdict: Verdict, _ first: AuthorizationStatus) {
        for (_, second) in Self.words {
            var machine = StatusMachine()
            let taken = machine.act(verdict)
            #expect(taken)
            let processing: AuthorizationStatus = verdict == .approve ? .confirmProcessing : .denyProcessing
            #expect(machine.status == processing)
            var expected = processing
            for word in [first, second] where !expected.isFinal {
                switch word {
                case .pending, .unknown: break
                default: expected = word
                }
            }
            machine.hear(first)
            machine.hear(second)
            #expect(machine.status == expected)
            // Success is the wanted word and nothing else.
            let success = machine.outcome == (verdict == .approve ? .confirmed : .denied)
            #expect(success == (expected == (verdict == .approve ? .confirmed : .denied)))
            #expect((machine.outcome != nil) == expected.isFinal)
            #expect(machine.isOverturned == (verdict == .deny && expected == .confirmed))
        }
    }

    @Test(arguments: words.map(\.1)) func onlyPendingTakesAnAnswer(_ status: AuthorizationStatus) {
        var machine = StatusMachine(status)
        let taken = machine.act(.approve)
        #expect(taken == (status == .pending))
        let again = machine.act(.deny)
        #expect(!again)
        #expect(machine.verdict == (status == .pending ? .approve : nil))
    }

    @Test(arguments: [
        (AuthorizationStatus.confirmed, Outcome.confirmed, Outcome.refused), (.denied, .refused, .denied),
        (.error, .refused, .refused), (.timeOut, .expired, .expired), (.unavailable, .expired, .expired),
        (.closed, .expired, .expired),
    ])
    func outcomes(_ status: AuthorizationStatus, _ approved: Outcome, _ denied: Outcome) {
        #expect(status.finalOutcome(of: .approve) == approved)
        #expect(status.finalOutcome(of: .deny) == denied)
    }
}
