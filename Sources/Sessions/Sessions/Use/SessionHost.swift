import Basics
package import Keys
import SessionModel
package import Verbs

/// Carries out the verbs of sessions: the vault that a command opened (`LocalSessions`), or the agent for one caller.
package protocol SessionHost: Sendable {
    /// The sessions at hand. Throws a failure of kind `locked` while they are not.
    func sessions() async throws -> LocalSessions
    /// Runs `body` with the sessions, if they are still at hand after the PIN proved right; no lock comes in between. The proof is nil
    /// if no PIN came along and none opened the vault.
    func proved<R: Sendable>(
        _ pin: EnteredPIN?, _ body: @Sendable (LocalSessions, ProvedPIN?) throws -> R
    ) async throws -> R
    /// All sessions.
    func sessionList() async throws -> SessionsPayload
    /// All grants, or those of the asking program.
    func grantList() async throws -> GrantsPayload
    /// A token that may be handed out, renewed if need be.
    func token(_ request: TokenRequest) async throws -> TokenPayload
    /// The headers for a request, with the token of the session that is for its address.
    func headers(_ request: HeadersRequest) async throws -> HeadersPayload
    /// A session or a grant may have changed or gone.
    func changed() async
    /// The calls that are owed to issuers may be made now.
    func tellIssuers(of sessions: LocalSessions) async
}

package typealias SessionVerb<Input: VerbInput, Output: Sendable> = Verb<any SessionHost, Input, Output>

extension Verb where Host == any SessionHost {
    /// A verb of our own program that needs only the sessions at hand.
    init(
        _ name: String, _ method: VerbRules.Method, _ path: VerbPath, effect: VerbRules.Effect = .none,
        endsWithCaller: Bool? = nil,
        _ carryOut: @escaping @Sendable (LocalSessions, VerbCall<Input>) async throws -> Output
    ) {
        self.init(
            name, method, path, effect: effect, while: .atHand, callers: .ownProgram, endsWithCaller: endsWithCaller
        ) { host, call in
            let output = try await carryOut(try await host.sessions(), call)
            await host.changed()
            return output
        }
    }

    /// A verb of our own program that takes the PIN. The action proves it, after it has found all other faults.
    init(
        _ name: String, _ method: VerbRules.Method, _ path: VerbPath, provedBy pin: VerbRules.PINSlot,
        _ carryOut: @escaping Action
    ) {
        self.init(
            name, method, path, effect: .change, while: .atHand, callers: .ownProgram, pin: pin
        ) { host, call in
            if pin == .needed { _ = try call.demandPIN() }
            let output = try await carryOut(host, call)
            await host.changed()
            return output
        }
    }
}

extension SessionHost {
    /// As `proved`. Throws a failure of kind `locked` without a PIN.
    func demandProof<R: Sendable>(
        _ pin: EnteredPIN?, _ body: @Sendable (LocalSessions, ProvedPIN) throws -> R
    ) async throws -> R {
        try await proved(pin) { sessions, proof in
            guard let proof else { throw Failure.needsUnlock }
            return try body(sessions, proof)
        }
    }
}

/// The person who opened the vault has all of it.
extension LocalSessions: SessionHost {
    package func sessions() -> LocalSessions { self }

    package func proved<R: Sendable>(
        _ pin: EnteredPIN?, _ body: @Sendable (LocalSessions, ProvedPIN?) throws -> R
    ) async throws -> R {
        switch pin {
        case nil: return try body(self, openedBy)
        case .proved(let proof): return try body(self, proof)
        case .typed(let pin, let source):
            guard let prove else { throw SessionError.takesPIN }
            return try body(self, try await prove(pin, source))
        }
    }

    package func sessionList() throws -> SessionsPayload { try list() }
    package func grantList() throws -> GrantsPayload { try grants() }

    package func token(_ request: TokenRequest) async throws -> TokenPayload {
        try await token(by: try choice(for: request, among: try store.sessions()), request.terms, within: nil)
    }

    package func headers(_ request: HeadersRequest) async throws -> HeadersPayload {
        let choice = try choice(for: request, among: try store.sessions())
        return try await headers(by: try await completed(choice, for: request), request.terms, within: nil)
    }

    package func changed() {}
    /// The command makes them at its end.
    package func tellIssuers(of sessions: LocalSessions) {}
}
