package import Basics
import FoundationEssentials
import LocalSocket
package import SessionModel
package import Sessions

/// The request of a program for a token that no grant allows yet.
package struct ProgramRequest: Sendable {
    /// The token that the program would get from one session.
    package struct Choice: Sendable {
        package let session: SignIn
        package let aim: TokenAim
    }

    /// Eight hexadecimal digits.
    package let id: String
    package let program: Program
    /// Whether other programs of this person could change the program's file.
    package let isChangeable: Bool
    /// The name that the program claims. Only the person's judgement depends on it.
    package let claim: ClaimedName?
    package let requester: Requester
    /// At least one; several where the program did not say which session it means.
    package let choices: [Choice]
    package let kind: TokenKind
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
