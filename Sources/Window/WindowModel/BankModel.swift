import Approvals
import ApprovalModel
import Basics
import Dialogue
import Display
import FoundationEssentials

/// One bank on the screen, and the question about it that is open.
struct BankModel: Sendable {
    private enum Step: Sendable {
        case looking
        case renaming
        case disconnecting(localOnly: Bool)
        case revoking(ConsentPayload)
    }

    private(set) var name: String
    private var step = Step.looking
    private var consents: Result<ConsentsRound, Failure>?
    /// The act that is under way.
    private var act: BankAct?
    private var notice: String?
    private var trouble: Failure?

    init(_ name: String) { self.name = name }

    // MARK: Events

    mutating func take(_ event: BankEvent, on connection: ConnectionPayload) -> [WindowEffect] {
        switch event {
        case .consents(name, let result): consents = result
        case .prove: return [.use] + begin(.prove)
        case .rename: begin(.renaming)
        case .disconnect: begin(.disconnecting(localOnly: false))
        case .revoke(let reference):
            if let consent = shown.first(where: { $0.ref == reference }) { begin(.revoking(consent)) }
        case .confirm(let text): return [.use] + confirm(text)
        case .done(act, name, let result): return end(result)
        case .consents, .done, .connections, .adding, .open, .reconnect, .add: break
        }
        return []
    }

    /// Leaves the question. Returns false if none is open.
    mutating func back() -> Bool {
        if case .looking = step { return false }
        if act == nil { (step, trouble) = (.looking, nil) }
        return true
    }

    private mutating func begin(_ step: Step) {
        if act == nil { (self.step, notice, trouble) = (step, nil, nil) }
    }

    private mutating func begin(_ act: BankAct) -> [WindowEffect] {
        guard self.act == nil else { return [] }
        (self.act, notice, trouble) = (act, nil, nil)
        return [.bank(.act(act, on: name))]
    }

    private mutating func confirm(_ text: String) -> [WindowEffect] {
        switch step {
        case .looking: return []
        case .renaming:
            guard let new = ConnectionName(text) else {
                trouble = .badName
                return []
            }
            return begin(.rename(new))
        case .disconnecting(let localOnly): return begin(.disconnect(localOnly: localOnly))
        case .revoking(let consent): return begin(.revoke(consent: consent.ref))
        }
    }

    private mutating func end(_ result: Result<String, Failure>) -> [WindowEffect] {
        guard let act else { return [] }
        self.act = nil
        switch result {
        case .failure(let failure):
            trouble = failure
            // The bank was not told, and everything is kept. The person may go on without it.
            if case .disconnect(localOnly: false) = act, failure.kind == .unreachable || failure.kind == .refused {
                step = .disconnecting(localOnly: true)
            }
            return []
        case .success(let newName):
            step = .looking
            name = newName
            switch act {
            case .prove: notice = "The bank knows this key and token."
            case .rename: notice = "It is called \(newName) now."
            case .revoke:
                notice = "This access has ended."
                consents = nil
                return [.bank(.consents(of: name))]
            case .disconnect: break
            }
            return [.bank(.list)]
        }
    }

    private var shown: [ConsentPayload] {
        guard case .success(let round)? = consents else { return [] }
        return round.consents
    }

    // MARK: The screen

    func screen(_ connection: ConnectionPayload, _ contact: BankContactPayload?) -> Screen {
        let trouble = trouble.map { Screen.Trouble($0) }
        switch step {
        case .looking: return .bank(page(connection, contact, trouble))
        case .renaming:
            return .asking(
                Screen.Asking(
                    tab: .banks, title: "Rename", headline: "The name of this bank here",
                    lines: [Screen.Line(nil, "The letters a to z, digits and hyphens, at most 32.")],
                    entry: Screen.Asking.Entry(name: "Name", text: name, demanded: nil), ok: "Rename",
                    isDestructive: false, trouble: trouble, isBusy: act != nil))
        case .disconnecting(let localOnly):
            return .asking(
                Screen.Asking(
                    .revoke(connection, localOnly: localOnly), of: .banks, title: "Disconnect", isDestructive: true,
                    trouble: trouble, isBusy: act != nil))
        case .revoking(let consent):
            return .asking(
                Screen.Asking(
                    .revoke(consent), of: .banks, title: "Revoke", isDestructive: true, trouble: trouble,
                    isBusy: act != nil))
        }
    }

    private func page(
        _ connection: ConnectionPayload, _ contact: BankContactPayload?, _ trouble: Screen.Trouble?
    ) -> Screen.Bank {
        func line(_ text: String) -> String { DisplayText(answered: text).line }
        var facts = [Screen.Line("Name here", connection.name)]
        if let account = connection.account { facts.append(Screen.Line("Account", line(account))) }
        facts.append(Screen.Line("Connected since", connection.createdAt.day))
        if let mail = connection.supportEmail { facts.append(Screen.Line("Help, as the bank says", line(mail))) }
        return Screen.Bank(
            connection: connection.name, bank: line(connection.bank), host: line(connection.host),
            status: connection.standing(contact), advice: connection.advice(contact), facts: facts,
            consents: shown.map(Screen.Bank.Consent.init), noConsents: noConsents, notice: notice, trouble: trouble,
            isBusy: act != nil)
    }

    private var noConsents: String? {
        switch consents {
        case nil: "Asking the bank …"
        case .failure(let failure)?: Sentence.of(failure.message)
        case .success(let round)?:
            if let failure = round.failures.first {
                Sentence.of(failure.message)
            } else if !round.unsupported.isEmpty {
                "This bank tells nothing of third parties here."
            } else if round.consents.isEmpty {
                "No third party has access."
            } else {
                nil
            }
        }
    }
}

extension Screen.Bank.Consent {
    init(_ consent: ConsentPayload) {
        func line(_ text: String) -> String { DisplayText(answered: text).line }
        let accounts = consent.accounts.map { line($0.iban ?? $0.accountNumber ?? $0.name) }
        let shared = [
            consent.shared.balance == true ? "balance" : nil,
            consent.shared.transactions == true ? "transactions" : nil,
        ].compactMap(\.self)
        let parts = [shared.joined(separator: " and "), accounts.joined(separator: ", ")].filter { !$0.isEmpty }
        self.init(
            reference: consent.ref, title: line(consent.thirdParty),
            detail: parts.map { $0 + ", " }.joined() + "until " + consent.expiresAt.day)
    }
}

extension ConnectionPayload {
    /// Its status in a word; an active one that does not answer is not reached.
    func standing(_ contact: BankContactPayload?) -> Screen.Status {
        switch status {
        case "active" where contact?.failure != nil: Screen.Status(word: "not reached", sign: .warning)
        case "active": Screen.Status(word: status, sign: .good)
        case "unconfirmed", "doubtful": Screen.Status(word: status, sign: .warning)
        default: Screen.Status(word: status, sign: .bad)
        }
    }

    /// Why it is not simply active, and the next step.
    func advice(_ contact: BankContactPayload?) -> String? {
        switch status {
        case "active": contact?.failure.map { Sentence.of($0.message) }
        case "unconfirmed": "The bank has not confirmed this connection yet. It is asked again until that is known."
        case "doubtful":
            "The bank refused the last answer. Another device may have taken this one's place. Prove the connection, or reconnect."
        case "blocked":
            blockedUntil.map { "The bank takes no answer from here until \(LocalTime.full($0.date))." }
                ?? "The bank takes no answer from here any more. Reconnect with a new code from its page."
        default:
            "The bank ended this connection. Nothing of it arrives any more. Reconnect with a new code from the bank's page; name and history stay."
        }
    }
}
