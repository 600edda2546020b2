package import Basics
package import ApprovalModel
import Keys

/// One enrollment of a bank, or of an existing connection again, in steps that the caller drives: get the offer, accept
/// it, prove the result, store it.
///
/// Nothing is stored until it is proved, except keys that the bank accepts only once: those are stored before they are sent. An
/// enrollment that fails or is abandoned leaves everything as it was, also the old key and token of a connection that is enrolled
/// again. Take each step once, in this order, but `take` once for every redirect that comes in.
///
///     let enrollment = try Enrollment(.link(link, name: nil), in: workspace, makeID: { try RandomBytes.uuid() })
///     let offer = try await enrollment.begin()
///     // Ask the person whether the hosts of `offer` are right.
///     switch try await enrollment.accept(returnURL: callback.returnURL) {
///     case .connected(let connection): // Done.
///     case .page(let page): // Open it, and hand every address that comes back to `take`.
///     }
package actor Enrollment {
    /// The start of an enrollment: a link, or a connection to enroll again.
    package enum Start: Sendable {
        /// The bank behind a link. Without a name, the connection is named after the bank.
        case link(ConnectLink, name: ConnectionName?)
        /// An existing connection, with a new key; guid, name and history stay (saltedge-v1 section 5). Needs a new
        /// link for the same account if its provider wants one.
        case again(Connection, by: ConnectLink? = nil)
    }

    /// The next step after the bank has the key.
    package enum Next: Sendable {
        /// The connection is stored; the bank needs no page.
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
        /// A step is running, which no other step may overtake, or a step has failed.
        case busy
        /// Abandoned.
        case over
    }

    /// The ids under which the connection will be stored.
    private struct Attempt {
        var guid: ConnectionGUID
        var keyID: KeyID
    }

    private let start: Start
    private let steps: any ProviderEnrollment
    private var workspace: Workspace
    private let makeID: @Sendable () throws -> String
    private var state = State.new

    /// `makeID` makes a random UUID. Throws if no provider has links or connections of this kind.
    package init(_ start: Start, in workspace: Workspace, makeID: @escaping @Sendable () throws -> String) throws {
        self.start = start
        steps =
            switch start {
            case .link(let link, _):
                try workspace.providers.enrollment(of: link, beside: workspace.connections.connections())
            case .again(let connection, let link):
                try workspace.providers.enrollment(
                    again: connection, by: link, beside: workspace.connections.connections())
            }
        self.workspace = workspace
        self.makeID = makeID
    }

    /// Fetches the offer for the person's consent, and makes no key yet. Throws `BankError`, which ends the enrollment,
    /// or `EnrollmentError.outOfTurn`.
    package func begin() async throws -> EnrollmentOffer {
        guard case .new = state else { throw EnrollmentError.outOfTurn }
        state = .busy
        let offer = try await steps.begin()
        try proceed(to: .offered)
        return offer
    }

    /// The person said yes: makes the keys and sends them, with the address to which the bank's page must lead back.
    /// Throws `EnrollmentError.outOfTurn` unless `begin` came first; all other errors end the enrollment.
    package func accept(returnURL: String) async throws -> Next {
        guard case .offered = state else { throw EnrollmentError.outOfTurn }
        state = .busy
        let attempt = Attempt(guid: try start.guid ?? ConnectionGUID(makeID()), keyID: KeyID(try makeID()))
        switch try await refusing({ try await steps.accept(returnURL: returnURL) }) {
        case .enrolled(let enrolled): return .connected(try keep(try await proved(enrolled, attempt)))
        case .unconfirmed(let enrolled): return .connected(try await confirmed(enrolled, attempt))
        case .page(let page):
            try proceed(to: .waiting(attempt))
            return .page(page)
        }
    }

    /// Judges one redirected address, which may be forged, and stores the connection if the address proves good. Nil if
    /// it is not a redirect to this return URL.
    ///
    /// Throws `EnrollmentError` if it does not prove good; the enrollment goes on, since any page can send an address.
    /// All other errors come from storing, and end the enrollment. Once connected, it only returns the stored
    /// connection.
    package func take(_ address: String) async throws -> Connection? {
        if case .connected(let stored) = state { return stored }
        guard case .waiting(let attempt) = state else { throw EnrollmentError.outOfTurn }
        let draft: Draft
        do {
            guard let enrolled = try await refusing({ try await steps.take(address) }) else { return nil }
            draft = try await proved(enrolled, attempt)
        } catch {
            throw error as? EnrollmentError ?? EnrollmentError.notProved(Failure(error))
        }
        // During the proof, another redirect may have been stored, or the enrollment abandoned.
        switch state {
        case .connected(let stored): return stored
        case .waiting:
            state = .busy
            return try keep(draft)
        case .new, .offered, .busy, .over: throw EnrollmentError.outOfTurn
        }
    }

    /// Goes on in another workspace, after the first one was closed.
    package func resume(in workspace: Workspace) { self.workspace = workspace }

    /// Ends an enrollment that nobody continues. A connection that is being proved is not stored; a stored one stays.
    package func abandon() {
        if case .connected = state { return }
        state = .over
    }

    /// Ends a step, unless the enrollment was abandoned meanwhile.
    private func proceed(to next: State) throws {
        guard case .busy = state else { throw EnrollmentError.outOfTurn }
        state = next
    }

    // MARK: Proof

    /// A connection with proved secrets that is not stored yet.
    private struct Draft {
        var connection: Connection
        var secrets: EnrolledSecrets
    }

    /// Turns a provider's refusal into an error of this enrollment.
    private func refusing<R: Sendable>(_ step: () async throws -> R) async throws -> R {
        do {
            return try await step()
        } catch let refusal as EnrollmentRefusal {
            throw switch refusal {
            case .refused(let errorClass, let message):
                EnrollmentError.refused(errorClass: errorClass, message: message)
            case .foreignID: EnrollmentError.foreignID
            }
        }
    }

    /// Proves the new secrets with one call (decision 20).
    private func proved(_ enrolled: EnrolledConnection, _ attempt: Attempt) async throws -> Draft {
        let connection = connection(enrolled, attempt)
        do {
            try await workspace.providers.service(for: connection, secrets: enrolled.secrets).prove()
        } catch {
            throw EnrollmentError.notProved(Failure(error), isReconnect: isReconnect)
        }
        return Draft(connection: connection, secrets: enrolled.secrets)
    }

    /// The connection as it will be stored.
    private func connection(_ enrolled: EnrolledConnection, _ attempt: Attempt) -> Connection {
        let now = workspace.clock.now()
        let (name, createdAt) =
            switch start {
            case .link(_, let name): (name ?? ConnectionName(suggestedBy: enrolled.nickname), now)
            case .again(let connection, _): (connection.name, connection.createdAt)
            }
        return Connection(
            guid: attempt.guid, name: name, keyID: attempt.keyID, enrolled: enrolled, createdAt: createdAt,
            updatedAt: now)
    }

    /// Completes an enrollment whose keys the bank accepts only once. They are stored before they are sent, so that a
    /// lost answer loses nothing. A connection that is enrolled again keeps its old secrets, too, until the new ones are
    /// proved.
    private func confirmed(_ enrolled: EnrolledConnection, _ attempt: Attempt) async throws -> Connection {
        var draft = Draft(connection: connection(enrolled, attempt), secrets: enrolled.secrets)
        draft.connection.status = .unconfirmed
        guard case .busy = state else { throw EnrollmentError.outOfTurn }
        // The bank's answer is stored even if a lock comes meanwhile.
        let letClose = try workspace.holdOpen()
        defer { letClose() }
        let stored = try commit(draft)
        do {
            let connection = try await workspace.confirm(stored)
            state = .connected(connection)
            return connection
        } catch {
            let isKnown = (try? workspace.connections.connections())?.first { $0.guid == stored.guid }
            // The bank has the keys but its answer is wrong, or it is not known whether it has them.
            guard let error = error as? BankError, error.meansNothingWasTaken, isKnown?.state == stored.state else {
                throw EnrollmentError.unconfirmed(
                    .init(
                        cause: Failure(error), name: stored.name, isReconnect: isReconnect,
                        isAskedAgain: (try? workspace.service(for: stored).confirmsByUse) != true))
            }
            try workspace.withdraw(stored)
            throw EnrollmentError.notProved(Failure(error), isReconnect: isReconnect)
        }
    }

    /// Whether an existing connection is enrolled again.
    private var isReconnect: Bool { start.guid != nil }

    // MARK: Commit

    /// Stores a draft, once. If storing fails, the enrollment is over.
    private func keep(_ draft: Draft) throws -> Connection {
        guard case .busy = state else { throw EnrollmentError.outOfTurn }
        let stored = try commit(draft)
        state = .connected(stored)
        return stored
    }

    private func commit(_ draft: Draft) throws -> Connection {
        var replaced: Set<KeyID> = []
        let id = draft.connection.keyID
        // Noted before the new keys are stored, which may take seconds: an enrollment beside this one has added its connection by then.
        let orphans = try orphans()
        // Before the lock, since a keyring may take seconds to write its file.
        try workspace.vault.store(draft.secrets, as: id)
        let stored: Connection
        do {
            stored = try workspace.connections.exclusively {
                try workspace.vault.demandCurrent()
                for orphan in try orphans.intersection(self.orphans()) { try workspace.vault.destroy(orphan) }
                // No connection named them until now, so another enrollment may have destroyed some of them.
                if !draft.secrets.areKept(as: id, in: workspace.vault) {
                    try workspace.vault.store(draft.secrets, as: id)
                }
                switch start {
                case .link: return try workspace.connections.add(draft.connection)
                case .again:
                    return try workspace.connections.update(draft.connection.guid) { current in
                        let new = draft.connection.replacing(current)
                        guard draft.connection.status != .unconfirmed else {
                            current = new
                            return
                        }
                        replaced = current.keyIDs
                        current = new
                        current.replaced = []
                    }
                }
            }
        } catch {
            try? workspace.vault.destroy(id)
            throw error
        }
        // The new keys are in use from here on; if the old ones cannot be destroyed now, the next enrollment does it.
        for id in replaced { try? workspace.vault.destroy(id) }
        return stored
    }

    /// The keys that belong to no connection, which a crash between two writes left behind.
    private func orphans() throws -> Set<KeyID> {
        // The keys of a connection that cannot be read look like that; its row may be restored.
        guard try workspace.connections.damagedRows() == 0 else { return [] }
        let known = Set(try workspace.connections.connections().flatMap(\.keyIDs))
        return try workspace.vault.keyIDs().subtracting(known)
    }
}

extension Enrollment.Start {
    /// The guid of the connection to enroll again; nil for a new one.
    fileprivate var guid: ConnectionGUID? {
        switch self {
        case .link: nil
        case .again(let connection, _): connection.guid
        }
    }
}
