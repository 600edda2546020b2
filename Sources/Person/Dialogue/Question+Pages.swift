import Approvals
import Display
import Sessions

// The question before each page: the bank or issuer, and every host that is called.

extension Question {
    /// Shows the purpose of a bank's key before it is made: every host, then the name that the bank claims.
    static func connect(_ offer: EnrollmentOfferPayload, besides known: [ConnectionPayload]) -> Question {
        let (source, base) = (offer.source.line, offer.host.line)
        var hosts = source == base ? base : "\(source), and for every later call \(base)"
        if !offer.others.isEmpty { hosts += "; also " + offer.others.map(\.line).joined(separator: ", ") }
        let account = offer.account.map { ", account \($0.line(within: 60))" } ?? ""
        let words = "\(hosts) (\(offer.bank.line(within: 60))\(account)) wants to connect this computer."
        let notes = offer.notes + known.compactMap { note(on: $0, beside: offer) }
        return Question(
            notes.map(\.line) + [words + " Continue?"], notice: notes.map(\.line) + [words],
            unasked: words.dropLast() + ": there is nobody to confirm it",
            headline: "Connect this computer to this bank?",
            [Fact("Host", DisplayText(hosts)), Fact("Bank", offer.bank, isShort: true)]
                + (offer.account.map { [Fact("Account", $0, isShort: true)] } ?? []) + notes.map { Fact($0) },
            ok: "Connect")
    }

    /// The warning about a connection that is with this bank already, or whose bank has the same name at another host.
    private static func note(on known: ConnectionPayload, beside offer: EnrollmentOfferPayload) -> DisplayText? {
        let host = DisplayText(answered: known.host)
        if host == offer.host { return DisplayText("This bank is connected already, as \(known.name).") }
        guard DisplayText(answered: known.bank).typeable == offer.bank.typeable else { return nil }
        return DisplayText("Warning: \(known.name) has the same name, and is at another host: \(host.line).")
    }

    /// Shows where a login leads before anything is made at the issuer.
    static func signIn(_ offer: LoginOfferPayload, account: DisplayText?, secretFile: String?) -> Question {
        let hosts = offer.hosts
        let unproven = "the page is not at the issuer, which does not promise to prove that it is its own"
        let caution = "go on only if you know both"
        let scopes = offer.scopes.isEmpty ? "nothing in particular" : offer.scopes.joined(separator: " ")
        var words = "Sign in at \(hosts.words), asking for: \(DisplayText(answered: scopes).line(within: 400))"
        var facts = offer.session.map { [Fact("Session", DisplayText(answered: $0))] } ?? []
        facts += account.map { [Fact("Account", $0, isShort: true)] } ?? []
        facts.append(Fact("Issuer", DisplayText(answered: hosts.issuer)))
        func fact(_ label: StaticString, _ host: String) {
            if host != hosts.issuer { facts.append(Fact(label, DisplayText(answered: host))) }
        }
        fact("Page", hosts.page)
        fact("Tokens come from", hosts.tokens)
        for host in hosts.others { fact("Other calls go to", host) }
        facts.append(Fact("Scopes", DisplayText(answered: scopes)))
        if !offer.resources.isEmpty {
            words += "; for " + offer.resources.map { DisplayText($0).line(within: 200) }.joined(separator: ", ")
            facts += offer.resources.map { Fact("Service", DisplayText($0)) }
        }
        if offer.client == nil {
            words += "; registering this program there"
            facts.append(Fact(DisplayText("This program is registered there anew.")))
        }
        if let secretFile {
            words += "; sending it the secret in \(DisplayText(secretFile).line(within: 200))"
            facts.append(Fact("It gets the secret in", DisplayText(secretFile)))
        }
        if hosts.pageUnproven {
            words += "; \(unproven): \(caution)"
            let sentence = unproven.prefix(1).uppercased() + unproven.dropFirst()
            facts.append(Fact(DisplayText("\(sentence): \(caution).")))
        }
        let isAgain = offer.session != nil
        return Question(
            [words + ". Continue?"], notice: [words], unasked: words + ": there is nobody to confirm it",
            headline: isAgain ? "Sign in again?" : "Sign in at this issuer?", facts, ok: "Sign in")
    }
}

extension LoginOfferPayload.Hosts {
    /// The host that gets all requests. If there are several hosts, names the requests to each.
    fileprivate var words: String {
        func line(_ host: String) -> String { DisplayText(answered: host).line }
        guard page != issuer || tokens != issuer || !others.isEmpty else { return line(issuer) }
        var parts = ["the page is at \(line(page))", "codes and tokens go to \(line(tokens))"]
        if !others.isEmpty { parts.append("other calls go to " + others.map(line).joined(separator: ", ")) }
        return "\(line(issuer)) (\(parts.joined(separator: "; ")))"
    }
}
