public import Basics
public import SCA

/// One enrollment of a bank, or of a connection again, in steps that its caller drives: the bank's configuration, the
/// person's yes to the hosts, key and web page, proof, commit.
///
/// Nothing is stored before it has proved good. One that fails or is abandoned leaves everything as it was: of a
/// connection that is enrolled again, the old key and token. Each step may be taken once, in this order; `take` as often
/// as redirects come in.
///
///     let enrollment = Enrollment(.link(link, name: nil), in: session, makeID: { try RandomBytes.uuid() })
///     let configuration = try await enrollment.begin()
///     // Ask the person whether the hosts of `configuration` are right.
///     switch try await enrollment.accept(returnURL: callback.returnURL) {
///     case .connected(let connection): // Done.
///     case .page(let page): // Open it, and hand every address that comes back to `take`.
///     }
public actor Enrollment {
    /// What is enrolled.
    public enum Start: Sendable {
        /// The bank behind a link; without a name, one is made from the bank's.
        case link(ConnectLink, name: ConnectionName?)
        /// A connection, with a new key; guid, name and history stay (saltedge-v1 section 5).
        case again(Connection)
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
        case configured(BankConfiguration)
        /// The person is on the bank's page.
        case waiting(Attempt)
        case connected(Connection)
        /// A step is under way that no other may cross, or it has failed.
        case busy
        /// Abandoned.
        case over
    }

    private let start: Start
    private var session: Session
    private let makeID: @Sendable () throws -> String
    private var state = State.new

    /// `makeID` makes a random UUID.
    public init(_ start: Start, in session: Session, makeID: @escaping @Sendable () throws -> String) {
        self.start = start
        self.session = session
        self.makeID = makeID
    }

    /// Fetches and checks the configuration: what the person is asked about. Nothing is made. Throws `BankError`, which
    /// ends the enrollment, or `EnrollmentError.outOfTurn`.
    public func begin() async throws -> BankConfiguration {
        guard case .new = state else { throw EnrollmentError(.outOfTurn) }
        state = .busy
        let configuration = try await session.banks.configuration(at: start.address)
        try proceed(to: .configured(configuration))
        return configuration
    }

    /// The person said yes to the hosts: makes the key and uploads it, with the address that the bank's page is to lead
    /// back to. Throws `EnrollmentError.outOfTurn` unless `begin` came before; all other errors end the enrollment.
    public func accept(returnURL: String) async throws -> Next {
        guard case .configured(let configuration) = state else { throw EnrollmentError(.outOfTurn) }
        state = .busy
        let guid = try start.guid ?? ConnectionGUID(makeID())
        let keyID = KeyID(try makeID())
        let key = try session.vault.makeKey()
        let created = try await session.banks.create(
            at: configuration, publicKey: key.publicKeyPEM, returnURL: returnURL, connectQuery: start.connectQuery)
        let attempt = Attempt(
            configuration: configuration, returnURL: returnURL, guid: guid, keyID: keyID, key: key, id: created.id)
        switch created.next {
        case .token(let token):
            return .connected(try keep(try await proved(id: nil, token: token, attempt)))
        case .redirect(let address):
            guard let redirect = Redirect.parse(address, returnURL: returnURL) else {
                throw BankError(.malformedAnswer, "the bank answered with a redirect that cannot be read")
            }
            return .connected(try keep(try await judge(redirect, attempt)))
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
        guard let redirect = Redirect.parse(address, returnURL: attempt.returnURL) else { return nil }
        let draft: Draft
        do {
            draft = try await judge(redirect, attempt)
        } catch {
            throw error as? EnrollmentError ?? EnrollmentError(.notProved, cause: error)
        }
        // While it was proved, another redirect may have been stored, or the enrollment abandoned.
        switch state {
        case .connected(let stored): return stored
        case .waiting:
            state = .busy
            return try keep(draft)
        case .new, .configured, .busy, .over: throw EnrollmentError(.outOfTurn)
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

    /// What every redirect is judged against.
    private struct Attempt {
        var configuration: BankConfiguration
        var returnURL: String
        var guid: ConnectionGUID
        var keyID: KeyID
        var key: any PrivateKey
        /// The id that the bank gave when the key was uploaded.
        var id: BankID?
    }

    /// A connection with a proved token, stored nowhere yet.
    private struct Draft {
        var connection: Connection
        var key: any PrivateKey
        var token: any Secret
    }

    private func judge(_ redirect: Redirect, _ attempt: Attempt) async throws -> Draft {
        switch redirect {
        case .refusal(let refusal):
            throw EnrollmentError(.refused, refusal: refusal)
        case .grant(let grant):
            let token = try session.banks.token(in: grant, for: attempt.configuration, key: attempt.key)
            return try await proved(id: grant.id, token: token, attempt)
        }
    }

    /// One call with the new token (design, "An enrollment is complete only when"). `named`: the id in the redirect.
    private func proved(id named: BankID?, token: any Secret, _ attempt: Attempt) async throws -> Draft {
        if let id = attempt.id, let named, id != named { throw EnrollmentError(.foreignID) }
        guard let id = named ?? attempt.id else {
            throw BankError(.malformedAnswer, "neither the bank's answer nor the redirect has the connection's id")
        }
        let connection = connection(id, attempt)
        do {
            try await session.banks.service(for: connection, token: token, key: attempt.key).prove()
        } catch {
            throw EnrollmentError(.notProved, cause: error)
        }
        return Draft(connection: connection, key: attempt.key, token: token)
    }

    /// The connection as it will stand.
    private func connection(_ id: BankID, _ attempt: Attempt) -> Connection {
        let now = session.clock.now()
        let configuration = attempt.configuration
        let (name, createdAt) =
            switch start {
            case .link(_, let name): (name ?? ConnectionName(suggestedBy: configuration.nickname), now)
            case .again(let connection): (connection.name, connection.createdAt)
            }
        return Connection(
            guid: attempt.guid, name: name, id: id, keyID: attempt.keyID, status: .active,
            configuration: configuration, createdAt: createdAt, updatedAt: now)
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
            try session.vault.store(draft.key, token: draft.token, as: draft.connection.keyID)
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
    fileprivate var address: WebAddress {
        switch self {
        case .link(let link, _): link.configuration
        case .again(let connection): connection.configurationURL
        }
    }

    fileprivate var connectQuery: BankText? {
        switch self {
        case .link(let link, _): link.connectQuery
        case .again: nil
        }
    }

    /// The guid of a connection that has one already.
    fileprivate var guid: ConnectionGUID? {
        switch self {
        case .link: nil
        case .again(let connection): connection.guid
        }
    }
}

extension BankConfiguration {
    /// What a connection is named after: v2 has no code but a number, so there it is the bank's name.
    fileprivate var nickname: BankText { wireProtocol == .saltEdgeV2 ? name : code }
}
