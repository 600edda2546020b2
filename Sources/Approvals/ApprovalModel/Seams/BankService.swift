/// The calls of a connection to its bank, for every wire protocol.
///
/// Every call throws `BankError`. A signature covers the exact bytes that are sent, and signed calls follow no
/// redirect. After an explicit `signatureExpired`, a call repeats itself once with a corrected clock. Only `send` does
/// not: the caller repeats it, since each sending is recorded first.
package protocol BankService: Sendable {
    /// All authorizations that the bank lists for this connection.
    func authorizations() async throws -> AuthorizationList
    /// Whether the bank may go on listing decided items without marking them.
    var listsAnswered: Bool { get }
    /// All authorizations, using `known`: items in it are not opened again, and afterwards it holds this list.
    func authorizations(_ known: OpenedItems<Authorization>) async throws -> AuthorizationList
    /// The authorizations that wait, without any content; uses `known` in the same way.
    func waiting(_ known: OpenedItems<WaitingItem>) async throws -> WaitingList
    /// One authorization in its present state. v2: it may be in processing; if its status is final, or it has no
    /// ciphertext, throws `authorizationGone` (see `status(of:)`).
    func authorization(_ id: BankID) async throws -> Authorization
    /// v2: the status of an authorization, even if it has no ciphertext any more; nil if the protocol has no status.
    func status(of id: BankID) async throws -> AuthorizationStatus?
    /// Signs a decision without sending it. `clockCorrection` shifts our clock, in seconds, after `signatureExpired`; 0
    /// uses the known offset of the bank's clock.
    func sign(_ reply: Reply, on authorization: Authorization, clockCorrection: Int) throws -> SignedDecision
    /// Sends a decision that the log holds. After `noAnswer` its outcome is not known.
    func send(_ decision: RecordedDecision) async throws -> DecisionAnswer
    /// Claims an instant action for this connection.
    func claim(_ action: ActionLink) async throws -> ActionAnswer
    func consents() async throws -> ConsentList
    func revokeConsent(_ id: BankID) async throws
    /// Whether the wire has a message that ends a connection.
    var tellsEnd: Bool { get }
    /// Reports to the bank that this connection ends.
    func revokeConnection() async throws
    /// Whether the bank's answer to the enrollment is known.
    var isConfirmed: Bool { get }
    /// Whether a lost answer to the enrollment cannot be asked for again, so that only the first accepted response
    /// shows it.
    var confirmsByUse: Bool { get }
    /// Sends the bank the completion of the enrollment, and returns the state to store with the connection. For a
    /// connection that is `unconfirmed`; may be called again if an answer was lost.
    func confirm() async throws -> ProviderState
    /// Makes one call that succeeds only if token and key are good (v1: a signed list; v2: show connection, which
    /// returns our public key).
    func prove() async throws
}

/// Defaults for services that open items cheaply, and for wires that lack a feature.
extension BankService {
    package var tellsEnd: Bool { true }

    package var listsAnswered: Bool { false }

    package var isConfirmed: Bool { true }

    package var confirmsByUse: Bool { false }

    package func confirm() async throws -> ProviderState {
        throw BankError(.refused, "there is nothing to confirm")
    }

    package func status(of id: BankID) async throws -> AuthorizationStatus? { nil }

    package func consents() async throws -> ConsentList { .unsupported }

    package func revokeConsent(_ id: BankID) async throws {
        throw BankError(.consentGone, "the bank has no such thing as consents")
    }

    package func authorizations(_ known: OpenedItems<Authorization>) async throws -> AuthorizationList {
        try await authorizations()
    }

    package func waiting(_ known: OpenedItems<WaitingItem>) async throws -> WaitingList {
        let list = try await authorizations()
        return WaitingList(
            items: list.authorizations.filter { $0.status == .pending }.map(WaitingItem.init), faults: list.faults,
            receivedAt: list.receivedAt)
    }
}
