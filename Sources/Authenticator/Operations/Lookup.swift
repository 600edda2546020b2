import SCA

/// Fetches the authorization that a REF names from its bank.
struct Lookup {
    let workspace: Workspace
    /// Whether an abbreviated reference is accepted: only if a person sees what it led to.
    let isAbbreviationAllowed: Bool

    /// Fetches `NAME:ID` by its id; searches the list for an id alone, or the beginning of one.
    func item(_ text: String) async throws -> Inbox.Item {
        guard let reference = Reference(text) else { throw LookupError(.noAuthorization, wanted: text) }
        guard let name = reference.connection else { return try await search(reference.id, at: nil, wanted: text) }
        let connection = try workspace.connection(named: name.text)
        if let id = reference.bankID {
            do {
                let authorization = try await Deciding(workspace).fetch(id, of: connection)
                return Inbox.Item(connection: connection, authorization: authorization)
            } catch let error as DecisionError where error.code == .gone {
                guard isAbbreviationAllowed else { throw error }
            }
        }
        return try await search(reference.id, at: connection, wanted: text)
    }

    private func search(_ beginning: String, at connection: Connection?, wanted: String) async throws -> Inbox.Item {
        guard isAbbreviationAllowed else { throw LookupError(.needsWholeReference, wanted: wanted) }
        let connections = try connection.map { [$0] } ?? workspace.connections.connections()
        let inbox = Inbox(workspace)
        let answers = await inbox.fetch(connections.filter(\.isKnownToBank))
        let all = inbox.items(of: answers)
        let exact = all.filter { $0.authorization.id.percentEncoded == beginning }
        let found = exact.isEmpty ? all.filter { $0.authorization.id.percentEncoded.hasPrefix(beginning) } : exact
        if found.count == 1 { return found[0] }
        if found.count > 1 { throw LookupError(.ambiguous, wanted: wanted, candidates: found.map(\.reference)) }
        // The authorization may be at a bank that did not answer.
        for answer in answers { _ = try answer.result.get() }
        throw LookupError(.noAuthorization, wanted: wanted)
    }
}
