package import Basics
import Display
import FoundationEssentials
package import ApprovalModel
package import Keys

/// The operations on a vault that is open in this process: the agent, or a single command.
package struct LocalOperations: Sendable {
    /// The dependencies besides the workspace.
    package struct Setup: Sendable {
        package var gate: any PINGate
        /// The positions in the settings, by the connection's name.
        package var positions: [String: Geolocation]
        package var links: LinkReaders
        package var makeID: @Sendable () throws -> String

        package init(
            gate: any PINGate, positions: [String: Geolocation], links: LinkReaders,
            makeID: @escaping @Sendable () throws -> String
        ) {
            self.gate = gate
            self.positions = positions
            self.links = links
            self.makeID = makeID
        }
    }

    package let workspace: Workspace
    let setup: Setup
    let requester: Requester
    let seen: SeenAuthorizations
    /// The fingerprint, or its first digits, for which a PIN from a file opened the vault.
    let openedBy: ProvedPIN?
    private let demandOpen: @Sendable () throws -> Void
    private let connectionsChanged: @Sendable () async -> Void
    private let requestsChanged: @Sendable (ConnectionGUID) async -> Void
    private let claimed: @Sendable (ConnectionGUID, BankID) async -> Void
    let underWay = DecisionsUnderWay()

    /// - Parameters:
    ///   - requester: the processes that ask, for the log.
    ///   - openedBy: the PIN from a file that opened the vault; nil for a PIN that a person typed.
    ///     That PIN approves this content, and is not checked a second time. Nil if none was named.
    ///   - demandOpen: throws if the answer may no longer be shown.
    ///   - connectionsChanged: called after a connection was renamed or removed.
    ///   - requestsChanged: called after a link brought a request of a connection that is not polled, or one was
    ///     decided.
    ///   - claimed: called after the bank made a request of an action that was claimed.
    package init(
        _ workspace: Workspace, _ setup: Setup, for requester: Requester, seen: SeenAuthorizations = .init(),
        openedBy: ProvedPIN? = nil, demandOpen: @escaping @Sendable () throws -> Void = {},
        connectionsChanged: @escaping @Sendable () async -> Void = {},
        requestsChanged: @escaping @Sendable (ConnectionGUID) async -> Void = { _ in },
        claimed: @escaping @Sendable (ConnectionGUID, BankID) async -> Void = { _, _ in }
    ) {
        self.workspace = workspace
        self.setup = setup
        self.requester = requester
        self.seen = seen
        self.openedBy = openedBy
        self.demandOpen = demandOpen
        self.connectionsChanged = connectionsChanged
        self.requestsChanged = requestsChanged
        self.claimed = claimed
    }

    /// Checks that the vault is still open: a lock may have come while the answer was made.
    private func showing<Answer>(_ answer: Answer) throws -> Answer {
        try demandOpen()
        return answer
    }

    /// Adds to errors of the bank, of deciding and of the connection's secrets which connection and authorization they
    /// are about.
    func naming<Answer>(
        _ connection: String?, _ reference: String? = nil, _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body()
        } catch  where error is BankError || error is DecisionError || error is SecretServiceError {
            throw Failure(error).naming(connection: connection, reference: reference)
        }
    }

    /// Reports a change at a connection that is not polled, since no poll would find it.
    func look(at connection: Connection) async {
        if connection.isKnownToBank, !workspace.providers.isPolled(connection) {
            await requestsChanged(connection.guid)
        }
    }

    // MARK: Connections

    package func connections() async throws -> ConnectionsPayload {
        try showing(
            ConnectionsPayload(
                try workspace.connections.connections().map(workspace.payload),
                damagedRows: try workspace.connections.damagedRows()))
    }

    package func rename(_ name: String, to new: ConnectionName) async throws -> OneConnectionPayload {
        let connection = try Maintaining(workspace).rename(try workspace.connection(named: name), to: new)
        await connectionsChanged()
        return OneConnectionPayload(connection: workspace.payload(of: connection))
    }

    package func revoke(_ name: String, localOnly: Bool) async throws -> RevokedPayload {
        let connection = try workspace.connection(named: name)
        do {
            let revocation = try await Maintaining(workspace).revoke(connection, localOnly: localOnly)
            await connectionsChanged()
            return RevokedPayload(connection, revocation)
        } catch let error as UnfinishedRevocation {
            var failure = Failure(error.cause)
            failure.message =
                (error.isTold ? "the bank ended the connection, but " : "")
                + "it could not be wholly destroyed on this computer: \(failure.message)"
            failure.hint = "try again: countersign revoke \(name) --local-only"
            throw failure
        } catch {
            var failure = Failure(error)
            failure.message += "; everything was kept"
            let again = failure.kind == .unknown ? "ask again whether it is done: countersign revoke \(name); or " : ""
            failure.hint = again + "destroy it on this computer alone: countersign revoke \(name) --local-only"
            throw failure
        }
    }

    package func prove(_ name: String) async throws {
        try await naming(name) { try await Maintaining(workspace).prove(try workspace.connection(named: name)) }
    }

    // MARK: Authorizations

    package func pending(_ connection: String?) async throws -> PendingRound {
        let inbox = Inbox(workspace)
        let answers = await inbox.fetch(try workspace.connections(named: connection))
        let items = inbox.items(of: answers)
        try demandOpen()
        seen.replace(with: items, of: answers.filter { (try? $0.result.get()) != nil }.map(\.connection.guid))
        return PendingRound(answers, items: items, damagedRows: try workspace.connections.damagedRows())
    }

    package func card(_ ref: String, abbreviated: Bool, withSource: Bool) async throws -> Card {
        let lookup = Lookup(workspace: workspace, isAbbreviationAllowed: abbreviated)
        let item = try await naming(Reference(ref)?.connection?.text, ref) { try await lookup.item(ref) }
        try demandOpen()
        seen.note([item])
        var card = Card(item.authorization, of: item.connection)
        if withSource { card.source = DisplayText(item.authorization.source) }
        return card
    }

    package func history(_ request: HistoryRequest) async throws -> HistoryPayload {
        let verdict = try workspace.log.verify()
        var (entries, claims): ([DecisionEntry], [ClaimEntry])
        switch verdict {
        // A broken log must be reported even if parts of it can still be read.
        case .broken where request.isVerified:
            (entries, claims) = ((try? workspace.log.entries()) ?? [], (try? workspace.log.claims()) ?? [])
        default: (entries, claims) = (try workspace.log.entries(), try workspace.log.claims())
        }
        if let connection = request.connection {
            // Decisions under an earlier name belong to the connection too.
            let guid = try workspace.connections.connections().first { $0.name.text == connection }?.guid
            let isKnown =
                guid != nil || entries.contains { $0.shown.connectionName.text == connection }
                || claims.contains { $0.action.connectionName.text == connection }
            // With `--verify`, a broken log must be reported, even if the name was lost from it.
            if !isKnown, !request.isVerified {
                // Throws, with similar names, since neither a present nor a former connection has this name.
                _ = try workspace.connection(named: connection)
            }
            entries.removeAll { $0.shown.connectionName.text != connection && $0.shown.connection != guid }
            claims.removeAll { $0.action.connectionName.text != connection && $0.action.connection != guid }
        }
        if let since = request.since?.date {
            entries.removeAll { $0.at < since }
            claims.removeAll { $0.at < since }
        }
        if let limit = request.limit { (entries, claims) = (entries.suffix(limit), claims.suffix(limit)) }
        return try showing(
            HistoryPayload(
                entries, claims, verdict, withSource: request.withSource,
                damagedRows: request.isVerified ? try workspace.connections.damagedRows() : 0))
    }

    // MARK: Actions and consents

    package func candidates(for action: GivenLink) async throws -> ConnectionsPayload {
        let link = try action.read(by: setup.links).acting()
        let found = try Claiming(workspace).candidates(for: link)
        guard !found.isEmpty || !link.isRequest else {
            let bank = DisplayText(link.bank).line(within: 60)
            guard try link.knowsBank(workspace.connections.connections().filter(\.isKnownToBank)) else {
                throw Failure(
                    .notFound, "no account at \(bank) is connected here",
                    hint: "with the link that its page shows for a new app: countersign enroll")
            }
            throw Failure(
                .notFound, "the account that the link names at \(bank) is not connected here",
                hint: "countersign connections --json tells which are")
        }
        return ConnectionsPayload(found.map(workspace.payload))
    }

    package func claim(
        _ action: GivenLink, for connection: String, isClicked: Bool = false, isListed: Bool = true
    ) async throws -> ActionPayload {
        var link = try action.read(by: setup.links).acting()
        (link.isClicked, link.isListed) = (isClicked, isListed)
        let chosen = try workspace.connection(named: connection)
        guard try Claiming(workspace).candidates(for: link).contains(where: { $0.guid == chosen.guid }) else {
            throw Failure(
                .notFound, "this action is not for the connection \"\(chosen.name.text)\"",
                hint: "countersign connections")
        }
        let answer = try await naming(chosen.name.text) {
            try await Claiming(workspace).claim(link, for: chosen, by: requester)
        }
        guard answer.success else {
            throw Failure(.refused, "the bank did not accept this action", hint: "ask its page for a new code")
        }
        await look(at: chosen)
        if let authorization = answer.authorization { await claimed(chosen.guid, authorization) }
        return ActionPayload(
            action: .init(
                connection: chosen.name.text, success: true,
                authorization: answer.authorization.map { Reference.text(chosen.name, $0) },
                returnTo: link.returnTo.map { DisplayText($0).line }))
    }

    package func consents(_ connection: String?) async throws -> ConsentsRound {
        try showing(
            ConsentsRound(await Maintaining(workspace).consents(of: try workspace.connections(named: connection))))
    }

    package func revokeConsent(_ ref: String) async throws -> ConsentRevokedPayload {
        guard let reference = Reference(ref), let name = reference.connection, let id = reference.bankID else {
            throw LookupError.needsWholeConsent(ref)
        }
        let connection = try workspace.connection(named: name.text)
        do {
            try await naming(connection.name.text) {
                try await Maintaining(workspace).revokeConsent(id, of: connection)
            }
        } catch let failure as Failure where failure.kind == .unknown {
            throw Failure(.unknown, failure.message, hint: "countersign consents tells whether it is still there")
        }
        return ConsentRevokedPayload(Reference.text(connection.name, id))
    }

    // MARK: Watching

    /// Streams the waiting requests, as `added`, and then each change. Ends when nobody reads it any more.
    package func events() async throws -> AsyncThrowingStream<Event, any Error> {
        let (events, inlet) = AsyncThrowingStream<Event, any Error>.makeStream()
        let watcher = Task { [workspace, seen] in
            do {
                let watcher = Watcher(workspace)
                await watcher.poller.setAttention(.watched)
                watcher.tellContacts(true)
                try await watcher.run { events in
                    for event in events {
                        seen.note(event)
                        inlet.yield(Event(telling: event, at: workspace.clock.now()))
                    }
                }
                inlet.finish()
            } catch {
                inlet.finish(throwing: error)
            }
        }
        inlet.onTermination = { _ in watcher.cancel() }
        return events
    }
}

extension Workspace {
    /// All connections, or the one with this name.
    func connections(named name: String?) throws -> [Connection] {
        guard let name else { return try connections.connections() }
        let connection = try connection(named: name)
        guard connection.isKnownToBank else { throw LookupError.inactive(name) }
        return [connection]
    }
}
