import Display
package import SessionModel
package import Sessions

/// All by which a person decides whether a program may have tokens. Terminal and windows draw the same facts.
package struct GrantCard: Sendable, Equatable {
    /// The program that gets the tokens.
    package let program: Fact
    /// The session whose tokens it gets.
    package let session: Fact
    /// The content of the tokens: the scopes, or the ID token.
    package let aim: Fact
    /// Everything, in the order in which it is shown.
    package private(set) var facts: [Fact]

    /// - Parameters:
    ///   - claim: the name that the program gives itself.
    ///   - scopes: nil for all of the session.
    ///   - owner: the session's account and issuer; empty where only the PIN shows them.
    ///   - requester: the processes that ask, nearest first; empty if none asks.
    ///   - isChangeable: whether other programs of this person could change the program's file.
    private init(
        _ program: DisplayText, claim: DisplayText? = nil, _ session: DisplayText, owner: [Fact], scopes: [String]?,
        services: [String], _ kinds: [TokenKind], requester: [DisplayText] = [], isChangeable: Bool
    ) {
        self.program = Fact("Program", program)
        self.session = Fact("Session", session)
        let scopes = scopes.map { $0.isEmpty ? "nothing in particular" : $0.joined(separator: " ") }
        let wanted = Fact("Scopes", DisplayText(answered: scopes ?? "all of the session"))
        let identity = Fact("ID token", DisplayText("it proves to others who you are"))
        aim = kinds.contains(.access) ? wanted : identity
        var facts = [self.program] + (claim.map { [Fact("It calls itself", $0)] } ?? [])
        facts += [self.session] + owner
        if kinds.contains(.access) { facts += [wanted] + services.map { Fact("Service", DisplayText(answered: $0)) } }
        if kinds.contains(.id) { facts.append(identity) }
        if !requester.isEmpty {
            let names = requester.prefix(2).map { $0.line(within: 60) }.joined(separator: ", started by: ")
            facts.append(Fact("Asked by", DisplayText(answered: names)))
        }
        if isChangeable { facts.append(Fact(DisplayText("Any of your programs could change this program's file."))) }
        self.facts = facts
    }

    private static func owner(_ account: String?, _ host: String) -> [Fact] {
        (account.map { [Fact("Account", DisplayText(answered: $0), isShort: true)] } ?? [])
            + [Fact("Issuer", DisplayText(answered: host))]
    }

    /// The same card with the time for which the person allows it.
    func lasting(_ life: AllowOptions?) -> GrantCard {
        var card = self
        if let life { card.facts.append(Fact(life)) }
        return card
    }

    /// The wish of a program, for one of the sessions that fit.
    package init(_ request: RequestPayload, _ choice: RequestPayload.Choice) {
        self.init(
            DisplayText(answered: request.program.text), claim: request.claims.map { DisplayText(answered: $0.name) },
            DisplayText(answered: choice.session), owner: Self.owner(choice.account, choice.host),
            scopes: choice.scopes, services: choice.resources, request.kinds.compactMap(TokenKind.init),
            requester: request.requester.map { DisplayText(answered: $0) }, isChangeable: request.changeable)
    }

    /// One use of a grant that takes the PIN each time. `requester`: the processes that ask, nearest first.
    package init(
        _ program: Program, _ choice: RequestPayload.Choice, _ kind: TokenKind, requester: [String]
    ) {
        self.init(
            DisplayText(program.text), DisplayText(answered: choice.session),
            owner: Self.owner(choice.account, choice.host), scopes: choice.scopes, services: choice.resources, [kind],
            requester: requester.map { DisplayText($0) }, isChangeable: false)
    }

    /// A grant that the person adds. `known`: the session, if it can be read without the PIN.
    package init(adding grant: GrantOptions, of known: SessionPayload?, isChangeable: Bool) {
        self.init(
            DisplayText(grant.program.text), DisplayText(grant.session.text),
            owner: known.map { Self.owner($0.account, $0.host) } ?? [], scopes: grant.scopes?.all,
            services: grant.resources.map(\.text), grant.kinds, isChangeable: isChangeable)
    }
}

extension Fact {
    /// When and for how long a program gets tokens.
    package init(_ life: AllowOptions) {
        let words =
            switch life.use {
            case .open: "while you are here"
            case .unlocked: "also when nobody is here, until the agent is locked"
            case .asked: "with the PIN each time"
            }
        self.init("When", DisplayText(words + (life.seconds.map { ", for \($0 / 60) minutes" } ?? "")))
    }
}
