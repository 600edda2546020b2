package import SessionModel

/// Finds the session that a request without a session's name means. A program learns nothing of sessions that it has no
/// grant for, with one exception: a program with a grant gets an answer at once where nothing fits an address, as it
/// must go on without a token then (oauth section 4.1).
package struct TokenSearch {
    package enum Found: Sendable {
        case one(TokenChoice)
        /// The program may mean any of these, and has a grant for none of them.
        case several([TokenChoice])
        /// Nothing fits, for any reason.
        case nothing
    }

    private let sessions: [SignIn]
    private let grants: [ProgramGrant]

    package init(_ sessions: [SignIn], _ grants: [ProgramGrant]) {
        self.sessions = sessions
        self.grants = grants
    }

    /// `find`: chooses among the sessions. Grants do not matter to the choice unless several sessions fit: then a
    /// program gets the session that it may use. The person gets every error of `find`, a program only errors about its
    /// own grants.
    package func found(for asker: TokenAsker, _ find: ([SignIn]) throws -> TokenChoice) throws -> Found {
        guard case .program(let program) = asker else { return .one(try find(sessions)) }
        let own = Set(grants.filter { $0.program == program }.map(\.session))
        do {
            let choice = try find(sessions)
            if !own.contains(choice.session.id) { try choice.session.demand(choice.aim) }
            return .one(choice)
        } catch SessionError.ambiguous(_, let names) {
            if let choice = try found(in: sessions.filter { own.contains($0.id) }, find) { return .one(choice) }
            return several(sessions.filter { names.contains($0.name.text) }, find)
        } catch is SessionError {
            return .nothing
        }
    }

    /// Nil where none of its own fits. Throws `SessionError` `ambiguous`.
    private func found(in own: [SignIn], _ find: ([SignIn]) throws -> TokenChoice) throws -> TokenChoice? {
        guard !own.isEmpty else { return nil }
        do {
            return try find(own)
        } catch SessionError.ambiguous(let wanted, let candidates) {
            throw SessionError.ambiguous(wanted: wanted, candidates: candidates)
        } catch is SessionError {
            return nil
        }
    }

    private func several(_ fitting: [SignIn], _ find: ([SignIn]) throws -> TokenChoice) -> Found {
        let choices = fitting.compactMap { session -> TokenChoice? in
            guard let choice = try? find([session]), (try? session.demand(choice.aim)) != nil else { return nil }
            return choice
        }
        return switch choices.count {
        case 0: .nothing
        case 1: .one(choices[0])
        default: .several(choices)
        }
    }
}
