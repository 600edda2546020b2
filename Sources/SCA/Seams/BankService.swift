/// What a connection can ask of its bank: the same for every wire protocol.
///
/// Every call throws `BankError`. Calls that carry a signature send it over the very bytes that leave, follow no
/// redirect, and make one second send by themselves: with a corrected clock after an explicit `signatureExpired` (but
/// never `send`, whose second send is the caller's, since each send is recorded first).
public protocol BankService: Sendable {
    /// All authorizations that the bank lists for this connection.
    func authorizations() async throws -> AuthorizationList
    /// The same. What `known` holds is not opened again, and it holds what is listed now afterwards.
    func authorizations(_ known: OpenedItems<Authorization>) async throws -> AuthorizationList
    /// The same without any content.
    func waiting(_ known: OpenedItems<WaitingItem>) async throws -> WaitingList
    /// One authorization as it stands now. v2: it may be in processing; one whose status is final, or that has no
    /// ciphertext, throws `authorizationGone`, see `status(of:)`.
    func authorization(_ id: BankID) async throws -> Authorization
    /// v2: where an authorization stands, also when it has no ciphertext any more; nil where the protocol has no status.
    func status(of id: BankID) async throws -> AuthorizationStatus?
    /// Signs a decision without sending it. `clockCorrection` (seconds, 0: what is known of the bank's clock)
    /// shifts our clock after `signatureExpired`.
    func sign(_ reply: Reply, on authorization: Authorization, clockCorrection: Int) throws -> SignedDecision
    /// Sends a decision that the log holds. `noAnswer` means that the outcome is not known.
    func send(_ decision: RecordedDecision) async throws -> DecisionAnswer
    /// Claims an instant action for this connection.
    func claim(_ action: ActionLink) async throws -> ActionAnswer
    func consents() async throws -> ConsentList
    func revokeConsent(_ id: BankID) async throws
    /// Whether the wire has a message for the end of a connection.
    var tellsEnd: Bool { get }
    /// Tells the bank that this connection ends.
    func revokeConnection() async throws
    /// Whether the bank's answer to the enrollment is known.
    var isConfirmed: Bool { get }
    /// Whether an answer to the enrollment that was lost cannot be asked for again: the first response that is accepted shows it.
    var confirmsByUse: Bool { get }
    /// Hands in what the bank needs for the enrollment, and returns what its provider keeps with the connection from then on. For a
    /// connection that is `unconfirmed`; it may be called again when an answer was lost.
    func confirm() async throws -> [String: String]
    /// One call that succeeds only when token and key are good (v1: a signed list; v2: show connection, with our public
    /// key in it).
    func prove() async throws
}

/// For services to which opening an item is cheap, and for wires that lack what others have.
extension BankService {
    public var tellsEnd: Bool { true }

    public var isConfirmed: Bool { true }

    public var confirmsByUse: Bool { false }

    public func confirm() async throws -> [String: String] {
        throw BankError(.refused, "there is nothing to confirm")
    }

    public func status(of id: BankID) async throws -> AuthorizationStatus? { nil }

    public func consents() async throws -> ConsentList { .unsupported }

    public func revokeConsent(_ id: BankID) async throws {
        throw BankError(.consentGone, "the bank has no such thing as consents")
    }

    public func authorizations(_ known: OpenedItems<Authorization>) async throws -> AuthorizationList {
        try await authorizations()
    }

    public func waiting(_ known: OpenedItems<WaitingItem>) async throws -> WaitingList {
        let list = try await authorizations()
        return WaitingList(
            items: list.authorizations.filter { $0.status == .pending }.map(WaitingItem.init), faults: list.faults,
            receivedAt: list.receivedAt)
    }
}
