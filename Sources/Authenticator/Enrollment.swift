import FoundationEssentials
public import SCA

/// Why an enrollment came to nothing; nothing was kept. Equality is by code.
public struct EnrollmentError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        private enum Kind { case declined, refused, waitOver, notProved, foreignID }
        private var kind: Kind

        /// The person said no to the hosts.
        public static let declined = Code(kind: .declined)
        /// The bank's redirect says so, in its own words.
        public static let refused = Code(kind: .refused)
        /// Nothing good came back in time, or the person ended the wait.
        public static let waitOver = Code(kind: .waitOver)
        /// The token that came back opens nothing at the bank; `cause` has the bank's answer.
        public static let notProved = Code(kind: .notProved)
        /// The redirect names another connection than the one that was made (saltedge-v1 section 5).
        public static let foreignID = Code(kind: .foreignID)
    }

    public var code: Code
    public var refusal: Redirect.Refusal?
    public var cause: (any Error)?

    public init(_ code: Code, refusal: Redirect.Refusal? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.refusal = refusal
        self.cause = cause
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

/// Connects a bank, or connects one again: configuration, the person's yes to the hosts, key, web page, proof, commit. A
/// failed or abandoned one leaves everything as it was.
public struct Enrollment: Sendable {
    let session: Session
    let callback: any BrowserCallback
    let makeID: @Sendable () throws -> String
    let confirmHosts: @Sendable (BankConfiguration) async throws -> Bool
    let notice: @Sendable (EnrollmentError) -> Void

    /// - Parameters:
    ///   - makeID: makes a random UUID.
    ///   - confirmHosts: asks the person before a key exists.
    ///   - notice: told of each redirect that did not prove good while the wait goes on.
    public init(
        _ session: Session, callback: any BrowserCallback, makeID: @escaping @Sendable () throws -> String,
        confirmHosts: @escaping @Sendable (BankConfiguration) async throws -> Bool,
        notice: @escaping @Sendable (EnrollmentError) -> Void
    ) {
        self.session = session
        self.callback = callback
        self.makeID = makeID
        self.confirmHosts = confirmHosts
        self.notice = notice
    }

    /// Enrolls the bank behind a link.
    public func enroll(_ link: ConnectLink, name: ConnectionName?) async throws -> Connection {
        let guid = ConnectionGUID(try makeID())
        let keyID = KeyID(try makeID())
        let draft = try await prove(link.configuration, connectQuery: link.connectQuery) { configuration, id in
            let now = session.clock.now()
            return Connection(
                guid: guid, name: name ?? ConnectionName(suggestedBy: configuration.nickname), id: id, keyID: keyID,
                status: .active, configuration: configuration, createdAt: now, updatedAt: now)
        }
        return try commit(draft) { try session.connections.add($0) }
    }

    /// Enrolls a connection again with a new key, keeping guid, name and history (saltedge-v1 section 5).
    public func reconnect(_ connection: Connection) async throws -> Connection {
        let keyID = KeyID(try makeID())
        let draft = try await prove(connection.configurationURL, connectQuery: nil) { configuration, id in
            Connection(
                guid: connection.guid, name: connection.name, id: id, keyID: keyID, status: .active,
                configuration: configuration, createdAt: connection.createdAt, updatedAt: session.clock.now())
        }
        let stored = try commit(draft) { new in
            try session.connections.update(new.guid) { current in
                var new = new
                new.name = current.name
                current = new
            }
        }
        // The new pair counts from here on; what cannot be destroyed now is swept later.
        try? session.vault.destroy(connection.keyID)
        return stored
    }

    /// A connection with a proved token, stored nowhere yet.
    private struct Draft {
        var connection: Connection
        var key: any PrivateKey
        var token: any Secret
    }

    private func commit(_ draft: Draft, _ store: (Connection) throws -> Connection) throws -> Connection {
        try session.connections.exclusively {
            try sweep()
            try session.vault.store(draft.key, token: draft.token, as: draft.connection.keyID)
            do {
                return try store(draft.connection)
            } catch {
                try? session.vault.destroy(draft.connection.keyID)
                throw error
            }
        }
    }

    /// Destroys keys that no connection names: what a crash between two writes left behind.
    private func sweep() throws {
        let known = Set(try session.connections.connections().map(\.keyID))
        for orphan in try session.vault.keyIDs().subtracting(known) { try session.vault.destroy(orphan) }
    }

    /// What every redirect is judged against.
    private struct Attempt {
        var configuration: BankConfiguration
        var key: any PrivateKey
        /// The id that the bank gave when the key was uploaded.
        var id: BankID?
        /// The connection as it will stand, once its id is known.
        var connection: (BankConfiguration, BankID) throws -> Connection

        func draft(id named: BankID?, token: any Secret) throws -> Draft {
            if let id, let named, id != named { throw EnrollmentError(.foreignID) }
            guard let id = named ?? id else {
                throw BankError(.malformedAnswer, "neither the bank's answer nor the redirect has the connection's id")
            }
            return Draft(connection: try connection(configuration, id), key: key, token: token)
        }
    }

    private func prove(
        _ address: WebAddress, connectQuery: BankText?,
        connection: @escaping (BankConfiguration, BankID) throws -> Connection
    ) async throws -> Draft {
        let configuration = try await session.banks.configuration(at: address)
        guard try await confirmHosts(configuration) else { throw EnrollmentError(.declined) }
        let key = try session.vault.makeKey()
        let created = try await session.banks.create(
            at: configuration, publicKey: key.publicKeyPEM, returnURL: callback.returnURL, connectQuery: connectQuery)
        let attempt = Attempt(configuration: configuration, key: key, id: created.id, connection: connection)
        switch created.next {
        case .token(let token):
            return try await proved(try attempt.draft(id: nil, token: token))
        case .redirect(let address):
            guard let redirect = Redirect.parse(address, returnURL: callback.returnURL) else {
                throw BankError(.malformedAnswer, "the bank answered with a redirect that cannot be read")
            }
            return try await judge(redirect, attempt)
        case .page(let page):
            try await callback.open(page)
            return try await wait(for: attempt)
        }
    }

    /// Waits for a redirect that proves good. One that does not ends nothing, since any page can send one.
    private func wait(for attempt: Attempt) async throws -> Draft {
        var last: EnrollmentError?
        while let incoming = try await callback.next() {
            guard let redirect = Redirect.parse(incoming.address, returnURL: callback.returnURL) else {
                await incoming.answer(false)
                continue
            }
            do {
                let draft = try await judge(redirect, attempt)
                await incoming.answer(true)
                return draft
            } catch {
                let failure = error as? EnrollmentError ?? EnrollmentError(.notProved, cause: error)
                await incoming.answer(false)
                notice(failure)
                last = failure
            }
        }
        throw last ?? EnrollmentError(.waitOver)
    }

    private func judge(_ redirect: Redirect, _ attempt: Attempt) async throws -> Draft {
        switch redirect {
        case .refusal(let refusal):
            throw EnrollmentError(.refused, refusal: refusal)
        case .grant(let grant):
            let token = try session.banks.token(in: grant, for: attempt.configuration, key: attempt.key)
            return try await proved(try attempt.draft(id: grant.id, token: token))
        }
    }

    /// One call with the new token (design, "An enrollment is complete only when").
    private func proved(_ draft: Draft) async throws -> Draft {
        do {
            try await session.banks.service(for: draft.connection, token: draft.token, key: draft.key).prove()
        } catch {
            throw EnrollmentError(.notProved, cause: error)
        }
        return draft
    }
}

extension BankConfiguration {
    /// What a connection is named after: v2 has no code but a number, so there it is the bank's name.
    fileprivate var nickname: BankText { wireProtocol == .saltEdgeV2 ? name : code }
}
