public import Basics
import FoundationEssentials
import LocalSocket
public import Sessions

/// The request of a program for a token that no grant allows yet.
public struct ProgramRequest: Sendable {
    /// The token that the program would get from one session.
    public struct Choice: Sendable {
        public let session: SignIn
        public let aim: TokenAim
    }

    /// Eight hexadecimal digits.
    public let id: String
    public let program: Program
    /// Whether other programs of this person could change the program's file.
    public let isChangeable: Bool
    /// The name that the program claims. Only the person's judgement depends on it.
    public let claim: ClaimedName?
    public let requester: Requester
    /// At least one; several where the program did not say which session it means.
    public let choices: [Choice]
    public let kind: TokenKind
    let at: Date
    let end: ContinuousClock.Instant

    /// The choice that the person allows; `name` is needed if several sessions fit. Throws `SessionError` `needsChoice`.
    func choice(of name: SessionName?) throws(SessionError) -> Choice {
        let named = choices.filter { name == nil || $0.session.name == name }
        guard let choice = named.first, named.count == 1 else {
            throw .needsChoice(id: id, choices.map(\.session.name.text))
        }
        return choice
    }
}

extension RequestPayload {
    init(_ request: ProgramRequest) {
        self.init(
            id: request.id, at: request.at, program: request.program, claim: request.claim,
            requester: request.requester, isChangeable: request.isChangeable,
            choices: request.choices.map { .init($0.session, $0.aim) }, kind: request.kind,
            until: request.at + TimeInterval(ProgramRequests.life.components.seconds))
    }
}
