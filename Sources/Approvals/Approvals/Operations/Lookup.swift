import Basics
import ApprovalModel

/// Fetches the authorization that a REF names from its bank.
struct Lookup {
    let workspace: Workspace
    /// Whether an abbreviated reference is accepted: only if a person sees the request that it names.
    let isAbbreviationAllowed: Bool

    /// Fetches `NAME:ID` by its id, and nothing else: it is never an abbreviation. Searches the list for an id alone, or the beginning of
    /// one.
    func item(_ text: String) async throws -> Inbox.Item {
        guard let reference = Reference(text) else { throw LookupError.noAuthorization(text) }
        guard let name = reference.connection else { return try await search(reference.id, wanted: text) }
        let connection = try workspace.connection(named: name.text)
        guard let id = reference.bankID else { throw LookupError.noAuthorization(text) }
        let authorization = try await Deciding(workspace).fetch(id, of: connection)
        return Inbox.Item(connection: connection, authorization: authorization)
    }

    private func search(_ beginning: String, wanted: String) async throws -> Inbox.Item {
        guard isAbbreviationAllowed else { throw LookupError.needsWholeReference(wanted) }
        let inbox = Inbox(workspace)
        let answers = await inbox.fetch(try workspace.connections.connections().filter(\.isKnownToBank))
        let all = inbox.items(of: answers)
        let exact = all.filter { $0.authorization.id.percentEncoded == beginning }
        let found = exact.isEmpty ? all.filter { $0.authorization.id.percentEncoded.hasPrefix(beginning) } : exact
        if found.count == 1 { return found[0] }
        if found.count > 1 { throw LookupError.ambiguous(wanted, candidates: found.map(\.reference)) }
        // The authorization may be at a bank that did not answer.
        for answer in answers {
            if case .failure(let error) = answer.result {
                throw Failure(error).naming(connection: answer.connection.name.text)
            }
        }
        throw LookupError.noAuthorization(wanted)
    }
}
