public import Basics
public import SCA

/// One enrollment of a bank, or of a connection again, in steps that its caller drives: who the bank is, the person's yes,
/// what the provider's machine needs for that, proof, commit.
///
/// Nothing is stored before it has proved good. One that fails or is abandoned leaves everything as it was: of a
/// connection that is enrolled again, the old key and token. Each step may be taken once, in this order; `take` as often
/// as redirects come in.
///
///     let enrollment = try Enrollment(.link(link, name: nil), in: session, makeID: { try RandomBytes.uuid() })
///     let offer = try await enrollment.begin()
///     // Ask the person whether the hosts of `offer` are right.
///     switch try await enrollment.accept(returnURL: callback.returnURL) {
///     case .connected(let connection): // Done.
///     case .page(let page): // Open it, and hand every address that comes back to `take`.
///     }
public actor Enrollment {
    /// What is enrolled.
    public enum Start: Sendable {
        /// The bank behind a link; without a name, one is made from the bank's.
        case link(ConnectLink, name: ConnectionName?)
        /// A connection, with a new key; guid, name and history stay (saltedge-v1 section 5). By a new link for the same account,
        /// where its provider wants one.
        case again(Connection, by: ConnectLink? = nil)
    }

    /// What follows an uploaded key.
    public enum Next: Sendable {
        /// The bank wanted no page: stored, done.
        case connected(Connection)
        /// The person signs in on this page, which leads back to the return URL.
        case page(WebAddress)
    }

    private enum State {
        case new
        /// The person is being asked.
        case offered
        /// The person is on the bank's page.
        case waiting(Attempt)
        case connected(Connection)
        /// A step is under way that no other may cross, or it has failed.
        case busy
        /// Abandoned.
        case over
    }

    /// Under which names it will be stored.
    private struct Attempt {
        var guid: ConnectionGUID
        var keyID: KeyID
    }

    private let start: Start
    private let steps: any ProviderEnrollment
    private var session: Session
    private let makeID: @Sendable () throws -> String
    private var state = State.new

    /// `makeID` makes a random UUID. Throws when no provider has such links or connections.
    public init(_ start: Start, in session: Session, makeID: @escaping @Sendable () throws -> String) throws {
        self.start = start
        steps =
            switch start {
            case .link(let link, _):
                try session.providers.enrollment(of: link, beside: session.connections.connections())
            case .again(let connection, let link):
                try session.providers.enrollment(
                    again: connection, by: link, beside: session.connections.connections())
            }
        self.session = session
        self.makeID = makeID
    }

    /// Learns whom the person is asked about. Nothing is made. Throws `BankError`, which ends the enrollment, or
    /// `EnrollmentError.outOfTurn`.
    public func begin() async throws -> EnrollmentOffer {
        guard case .new = state else { throw EnrollmentError(.outOfTurn) }
        state = .busy
        let offer = try await steps.begin()
        try proceed(to: .offered)
        return offer
    }

    /// The person said yes: makes the keys and hands them in, with the address that the bank's page is to lead back to. Throws
    /// `EnrollmentError.outOfTurn` unless `begin` came before; all other errors end the enrollment.
    public func accept(returnURL: String) async throws -> Next {
        guard case .offered = state else { throw EnrollmentError(.outOfTurn) }
        state = .busy
        let attempt = Attempt(guid: try start.guid ?? ConnectionGUID(makeID()), keyID: KeyID(try makeID()))
        let terms = EnrollmentTerms(returnURL: returnURL) { [vault = session.vault] in try vault.makeKey(bits: $0) }
        switch try await refusing({ try await steps.accept(terms) }) {
        case .enrolled(let enrolled): return .connected(try keep(try await proved(enrolled, attempt)))
        case .unconfirmed(let enrolled): return .connected(try await confirmed(enrolled, attempt))
        case .page(let page):
            try proceed(to: .waiting(attempt))
            return .page(page)
        }
    }

    /// Judges one redirected address, good or forged, and stores the connection when it proves good. Nil when it is not
    /// a redirect for this return URL at all.
    ///
    /// Throws `EnrollmentError` when it does not prove good: that ends nothing, since any page can send one. All other
    /// errors come from storing and end the enrollment. Once connected, it only answers with what was stored.
    public func take(_ address: String) async throws -> Connection? {
        if case .connected(let stored) = state { return stored }
        guard case .waiting(let attempt) = state else { throw EnrollmentError(.outOfTurn) }
        let draft: Draft
        do {
            guard let enrolled = try await refusing({ try await steps.take(address) }) else { return nil }
            draft = try await proved(enrolled, attempt)
        } catch {
            throw error as? EnrollmentError ?? EnrollmentError(.notProved, cause: error)
        }
        // While it was proved, another redirect may have been stored, or the enrollment abandoned.
        switch state {
        case .connected(let stored): return stored
        case .waiting:
            state = .busy
            return try keep(draft)
        case .new, .offered, .busy, .over: throw EnrollmentError(.outOfTurn)
        }
    }

    /// Goes on in another session: the one it was begun in is over.
    public func resume(in session: Session) { self.session = session }

    /// Ends an enrollment that will not be driven on. What is being proved is not stored; what is stored stays.
    public func abandon() {
        if case .connected = state { return }
        state = .over
    }

    /// Ends a step that nothing crossed: it may have been abandoned meanwhile.
    private func proceed(to next: State) throws {
        guard case .busy = state else { throw EnrollmentError(.outOfTurn) }
        state = next
    }

    // MARK: Proof

    /// A connection with proved secrets, stored nowhere yet.
    private struct Draft {
        var connection: Connection
        var secrets: EnrolledSecrets
    }

    /// What a provider refuses, as the error of this enrollment.
    private func refusing<R: Sendable>(_ step: () async throws -> R) async throws -> R {
        do {
            return try await step()
        } catch let refusal as EnrollmentRefusal {
            throw switch refusal {
            case .refused: EnrollmentError(.refused, refusal: refusal)
            case .foreignID: EnrollmentError(.foreignID)
            }
        }
    }

    /// One call with the new secrets (design, "An enrollment is complete only when").
    private func proved(_ enrolled: EnrolledConnection, _ attempt: Attempt) async throws -> Draft {
        let connection = connection(enrolled, attempt)
        do {
            try await session.providers.service(for: connection, secrets: enrolled.secrets).prove()
        } catch {
            throw EnrollmentError(.notProved, cause: error)
        }
        return Draft(connection: connection, secrets: enrolled.secrets)
    }

    /// The connection as it will stand.
    private func connection(_ enrolled: EnrolledConnection, _ attempt: Attempt) -> Connection {
        let now = session.clock.now()
        let (name, createdAt) =
            switch start {
            case .link(_, let name): (name ?? ConnectionName(suggestedBy: enrolled.nickname), now)
            case .again(let connection, _): (connection.name, connection.createdAt)
            }
        return Connection(
            guid: attempt.guid, name: name, keyID: attempt.keyID, enrolled: enrolled, createdAt: createdAt,
            updatedAt: now)
    }

    /// What the bank takes once is stored before it is handed in, so that an answer that is lost loses nothing. A connection that is
    /// enrolled again keeps its old secrets until the new ones are proved.
    private func confirmed(_ enrolled: EnrolledConnection, _ attempt: Attempt) async throws -> Connection {
        var draft = Draft(connection: connection(enrolled, attempt), secrets: enrolled.secrets)
        if case .again = start {
            let service = try session.providers.service(for: draft.connection, secrets: draft.secrets)
            do {
                draft.connection.details = try await service.confirm()
                try await session.providers.service(for: draft.connection, secrets: draft.secrets).prove()
            } catch {
                throw EnrollmentError(.notProved, cause: error)
            }
            return try keep(draft)
        }
        draft.connection.status = .unconfirmed
        guard case .busy = state else { throw EnrollmentError(.outOfTurn) }
        let stored = try commit(draft)
        do {
            let connection = try await session.confirm(stored)
            state = .connected(connection)
            return connection
        } catch {
            let isKnown = (try? session.connections.connections())?.first { $0.guid == stored.guid }
            // The bank has the keys, but does not answer as it should; or nobody knows whether it has them.
            guard let error = error as? BankError, error.meansNothingWasTaken, isKnown?.details == stored.details else {
                var lost = EnrollmentError(.unconfirmed, cause: error, name: stored.name)
                lost.isAskedAgain = (try? session.service(for: stored).confirmsByUse) != true
                throw lost
            }
            try session.erase(stored)
            throw EnrollmentError(.notProved, cause: error)
        }
    }

    // MARK: Commit

    /// Stores a draft, once: none follows it, also when it could not be stored.
    private func keep(_ draft: Draft) throws -> Connection {
        guard case .busy = state else { throw EnrollmentError(.outOfTurn) }
        let stored = try commit(draft)
        state = .connected(stored)
        return stored
    }

    private func commit(_ draft: Draft) throws -> Connection {
        var replaced: KeyID?
        let stored = try session.connections.exclusively {
            try session.vault.demandCurrent()
            try sweep()
            try session.vault.store(draft.secrets, as: draft.connection.keyID)
            do {
                switch start {
                case .link: return try session.connections.add(draft.connection)
                case .again:
                    return try session.connections.update(draft.connection.guid) { current in
                        replaced = current.keyID
                        var new = draft.connection
                        new.name = current.name
                        current = new
                    }
                }
            } catch {
                try? session.vault.destroy(draft.connection.keyID)
                throw error
            }
        }
        // The new pair counts from here on; what cannot be destroyed now is swept later.
        if let replaced { try? session.vault.destroy(replaced) }
        return stored
    }

    /// Destroys keys that no connection names: what a crash between two writes left behind.
    private func sweep() throws {
        let known = Set(try session.connections.connections().map(\.keyID))
        for orphan in try session.vault.keyIDs().subtracting(known) { try session.vault.destroy(orphan) }
    }
}

extension Enrollment.Start {
    /// The guid of a connection that has one already.
    fileprivate var guid: ConnectionGUID? {
        switch self {
        case .link: nil
        case .again(let connection, _): connection.guid
        }
    }
}
