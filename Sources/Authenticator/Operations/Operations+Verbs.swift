import Basics
public import SCA

/// The verbs that need only the open vault, as methods. `LocalOperations` implements each in a method of the same name,
/// which the verb calls.
extension Operations {
    // MARK: Connections

    public func connections() async throws -> ConnectionsPayload {
        try await perform(ApprovalVerbs.connections, on: "", NoInput())
    }

    public func rename(_ name: String, to new: ConnectionName) async throws -> OneConnectionPayload {
        try await perform(ApprovalVerbs.rename, on: name, NewName(name: new))
    }

    public func revoke(_ name: String, localOnly: Bool) async throws -> RevokedPayload {
        try await perform(ApprovalVerbs.revoke, on: name, RevokeOptions(localOnly: localOnly))
    }

    /// Asks the bank whether token and key are good.
    public func prove(_ name: String) async throws {
        _ = try await perform(ApprovalVerbs.prove, on: name, NoInput())
    }

    // MARK: Authorizations

    /// Fetches one authorization in its present state. `NAME:ID` is fetched by its id; an id alone, or the beginning of
    /// one, is searched in the list if `abbreviated`. `withSource`: include the decrypted plaintext.
    public func card(_ ref: String, abbreviated: Bool, withSource: Bool) async throws -> Card {
        try await perform(
            ApprovalVerbs.authorization, on: ref, CardOptions(abbreviated: abbreviated, withSource: withSource))
    }

    public func history(_ request: HistoryRequest) async throws -> HistoryPayload {
        try await perform(ApprovalVerbs.history, on: "", request)
    }

    // MARK: Actions and consents

    /// The active connections for which an instant action can be claimed.
    public func candidates(for action: String) async throws -> ConnectionsPayload {
        try await perform(ApprovalVerbs.candidates, on: "", CandidatesRequest(link: action))
    }

    /// Claims an action. `isClicked`: a page opened its link. `isListed`: a request from the link is listed until it is decided;
    /// otherwise only a caller that knows its reference finds it.
    public func claim(
        _ action: String, for connection: String, isClicked: Bool = false, isListed: Bool = true
    ) async throws -> ActionPayload {
        try await perform(
            ApprovalVerbs.claim, on: "",
            ClaimRequest(link: action, connection: connection, clicked: isClicked, listed: isListed))
    }

    public func consents(_ connection: String?) async throws -> ConsentsRound {
        try await perform(ApprovalVerbs.consents, on: "", ConsentsRequest(connection: connection))
    }

    public func revokeConsent(_ ref: String) async throws -> ConsentRevokedPayload {
        try await perform(ApprovalVerbs.revokeConsent, on: ref, NoInput())
    }
}
