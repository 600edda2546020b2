import GRDB

/// Makes instant actions and their links (saltedge-v1 section 2).
struct ActionLinks: Sendable {
    let services: BankServices

    func make(
        bank: Bank, userID: Int64?, kind: InstantAction.Kind,
        version: EnrollmentLink.ProtocolVersion = .v1, title: String? = nil, returnTo: String? = nil,
        lifetime: Double = 300
    ) async throws -> InstantAction {
        let action = InstantAction(
            uuid: RandomText.token(), bankID: bank.id ?? 0, userID: userID, protocolVersion: version, kind: kind,
            title: title ?? "Sign in to \(bank.name)", returnTo: returnTo, expiresAt: services.clock.now + lifetime)
        return try await services.store.write { db in
            var action = action
            try action.insert(db)
            return action
        }
    }

    /// The deep link. Like the Ruby server, v1 always has `return_to`, which may be empty; v2 only when there is one.
    func text(of action: InstantAction, bank: Bank) -> String {
        let returnTo = URLText.percentEncoded(action.returnTo ?? "")
        switch action.protocolVersion {
        case .v1:
            return "authenticator://saltedge.com/action?action_uuid=\(action.uuid)"
                + "&connect_url=\(services.baseURL(of: bank))&return_to=\(returnTo)"
        case .v2:
            return "authenticator://saltedge.com/action?api_version=2&action_id=\(action.id ?? 0)"
                + "&provider_id=\(bank.id ?? 0)" + (returnTo.isEmpty ? "" : "&return_to=\(returnTo)")
        }
    }
}
