import Basics
package import Keys
package import Verbs

/// Carries out the verbs of approvals: the vault that a command opened (`LocalOperations`), or the agent for one caller.
package protocol ApprovalHost: Sendable {
    /// The use-cases on the open vault. Throws a failure of kind `locked` while content may not be shown.
    ///
    /// - Parameter change: describes the change for the question whether another program may make it:
    ///   `ends the connection fern`. Nil if nothing changes.
    func operations(to change: String?) async throws -> LocalOperations
    /// The authorizations that are known to wait, of all banks or of one, if possible without asking a bank.
    func known(_ connection: String?) async throws -> PendingRound
    /// Approves the content that the PIN was entered for. Without a PIN, an agent shows the card and asks for it.
    func approve(_ request: DecisionRequest, pin: EnteredPIN?) async throws -> DecisionPayload
    /// Denies. Takes the PIN if the card says so (`Card.denialNeedsPIN`): without it an agent asks for it, and a command's own vault throws
    /// `DecisionError.needsPIN`.
    func deny(_ request: DecisionRequest, pin: EnteredPIN?) async throws -> DecisionPayload
    /// Nobody waits for this decision any more: a PIN that is typed for it now sends nothing, and the bank's final word is
    /// not awaited. Returns false when no decision on this REF is under way.
    func giveUp(_ ref: String) async -> Bool
}

package typealias ApprovalVerb<Input: VerbInput, Output: Sendable> = Verb<any ApprovalHost, Input, Output>

extension Verb where Host == any ApprovalHost {
    /// A verb that needs only the open vault.
    ///
    /// - Parameters:
    ///   - missing: the error for a name that no path can hold.
    ///   - change: see `ApprovalHost.operations`.
    init(
        _ name: String, _ method: VerbRules.Method, _ path: VerbPath,
        missing: @escaping @Sendable (String) -> LookupError = { .noConnection($0) },
        change: (@Sendable (_ name: String) -> String)? = nil, endsWithCaller: Bool? = nil,
        _ carryOut: @escaping @Sendable (LocalOperations, VerbCall<Input>) async throws -> Output
    ) {
        self.init(
            name, method, path, effect: change == nil ? .none : .change, while: .open, endsWithCaller: endsWithCaller,
            missing: missing
        ) { host, call in try await carryOut(try await host.operations(to: change?(call.name)), call) }
    }
}

extension LocalOperations: ApprovalHost {
    package func operations(to change: String?) -> LocalOperations { self }

    /// A command knows nothing before it asks the banks.
    package func known(_ connection: String?) async throws -> PendingRound { try await pending(connection) }

    package func approve(_ request: DecisionRequest, pin: EnteredPIN?) async throws -> DecisionPayload {
        guard let pin else { throw Failure.needsPIN }
        let (secret, source) = try pin.typed()
        return try await underWay.during(request) {
            try await approve(request, pin: secret, from: source, isGivenUp: { underWay.isGivenUp(request.ref) })
        }
    }

    package func deny(_ request: DecisionRequest, pin: EnteredPIN?) async throws -> DecisionPayload {
        let pin = try pin?.typed()
        return try await underWay.during(request) {
            try await deny(
                request, pin: pin?.secret, from: pin?.source ?? .person,
                isGivenUp: { underWay.isGivenUp(request.ref) })
        }
    }

    package func giveUp(_ ref: String) -> Bool { underWay.giveUp(ref) }
}
