package import FoundationEssentials
package import ApprovalModel

/// Fetches the waiting authorizations of many banks at once, and settles earlier decisions whose answer never came.
package struct Inbox: Sendable {
    /// The answer of one connection's bank.
    package typealias Answer = BankAnswer<AuthorizationList>

    /// An authorization with the connection that it belongs to.
    package struct Item: Sendable {
        package var connection: Connection
        package var authorization: Authorization

        package init(connection: Connection, authorization: Authorization) {
            self.connection = connection
            self.authorization = authorization
        }

        package var reference: String { Reference.text(connection.name, authorization.id) }

        /// By `created_at`, then by reference (saltedge-v1 section 13).
        static func areInOrder(_ a: Item, _ b: Item) -> Bool {
            let (first, second) = (a.authorization.createdAt ?? .distantPast, b.authorization.createdAt ?? .distantPast)
            return first == second ? a.reference < b.reference : first < second
        }
    }

    let workspace: Workspace

    package init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    /// Asks the banks of these connections at the same time, so that a dead bank does not delay the others. Inactive
    /// connections are not called: their answer is `LookupError.inactive`. Keeps the order of `connections`.
    package func fetch(_ connections: [Connection]) async -> [Answer] {
        await workspace.askingEach(of: connections, tellsEnded: true) { try await list($0, isSettled: false) }
    }

    /// The undecided, unexpired items of these answers, in order.
    package func items(of answers: [Answer]) -> [Item] {
        let now = workspace.clock.now()
        return answers.flatMap { answer in
            ((try? answer.result.get())?.pending(at: now) ?? [])
                .map { Item(connection: answer.connection, authorization: $0) }
        }
        .sorted(by: Item.areInOrder)
    }

    /// Asks the bank of one connection, and settles earlier decisions by its answer. `isSettled` says that none is
    /// unsettled, so that the log need not be read.
    package func ask(_ connection: Connection, isSettled: Bool = false) async -> Answer {
        await Answer(connection) { try await list(connection, isSettled: isSettled) }
    }

    private func list(_ connection: Connection, isSettled: Bool) async throws -> AuthorizationList {
        try await workspace.asking(connection) { service in
            // Read before the call: the answer says nothing about a decision that is under way now or begins later.
            let lost = isSettled ? [] : try await Workspace.besideCalls { try unanswered(of: connection) }
            let list = try await waiting(service.authorizations(workspace.opened), at: service)
            var told = list
            if !lost.isEmpty {
                told.overturned = try await Workspace.besideCalls { try await settle(lost, by: list, asking: service) }
            }
            if list.settled.values.contains(.confirmed) {
                let known = told.overturned
                told.overturned += try await Workspace.besideCalls {
                    try overturned(of: connection, by: list, besides: known)
                }
            }
            return told
        }
    }

    /// The list without the items that are decided at the bank, according to the log.
    private func waiting(_ list: AuthorizationList, at service: any BankService) async throws -> AuthorizationList {
        guard service.listsAnswered, !list.authorizations.isEmpty else { return list }
        let answered = try await Workspace.besideCalls {
            Set(try list.authorizations.filter { try workspace.log.isAnswered($0) }.map(\.id))
        }
        var rest = list
        rest.authorizations.removeAll { answered.contains($0.id) }
        rest.listed.subtract(answered)
        return rest
    }

    /// Settles decisions by a list that was fetched while no decision was known to be unsettled. Only absence from the
    /// list is certain to be still true.
    func settle(_ connection: Connection, by list: AuthorizationList) async throws {
        try await workspace.asking(connection) { service in
            try await Workspace.besideCalls {
                let gone = try unanswered(of: connection).filter { !list.listed.contains($0.shown.id) }
                _ = try await settle(gone, by: list, asking: service)
            }
        }
    }

    /// Decisions without a final outcome, except those whose call is running now.
    private func unanswered(of connection: Connection) throws -> [DecisionEntry] {
        try workspace.log.unresolved(of: connection.guid).filter { try !isInFlight($0) }
    }

    /// Settles decisions whose answer never came (decision 15). Never sends one again.
    /// Returns the denials that the bank shows as confirmed.
    private func settle(_ entries: [DecisionEntry], by list: AuthorizationList, asking service: any BankService)
        async throws -> [DecisionEntry]
    {
        var overturned: [DecisionEntry] = []
        for entry in entries {
            guard let resolution = try await judge(entry, by: list, asking: service) else { continue }
            try workspace.log.resolve(entry.sequence, resolution, at: workspace.clock.now())
            if resolution == .overturned { overturned.append(entry) }
        }
        return overturned
    }

    /// Whether its call is running now. No call takes a minute, so an older one belongs to a process that was stopped.
    private func isInFlight(_ entry: DecisionEntry) throws -> Bool {
        guard entry.outcome == .unknown, workspace.clock.now().timeIntervalSince(entry.at) < 60 else { return false }
        return try workspace.log.isUnderWay(entry.sequence)
    }

    private func judge(
        _ entry: DecisionEntry, by list: AuthorizationList, asking service: any BankService
    ) async throws -> Resolution? {
        let id = entry.shown.id
        if let item = list.authorizations.first(where: { $0.id == id && $0.status == .pending }) {
            // The item has other content now: only the bank knows the result of the decision on the earlier content.
            guard item.fingerprint == entry.shown.fingerprint else { return .lost }
            return entry.outcome == .processing ? nil : .stillOpen
        }
        var status = list.settled[id]
        if status == nil, !list.listed.contains(id) {
            do {
                status = try await service.status(of: id)
            } catch let error as BankError where error.kind == .authorizationGone {
                return .lost
            }
            if status == nil {
                // An item whose id cannot be read may be this one.
                if list.faults.contains(where: { $0.id == nil && $0.subject == .item }) { return nil }
                // The bank has no status. An item that disappeared before its expiry was decided by somebody, perhaps
                // by us (decision 15). Without an expiry this stays open.
                let bankNow = list.bankTime ?? workspace.clock.now()
                let isEarly = entry.shown.expiresAt.map { bankNow < $0 } ?? false
                return isEarly ? .outcome(.unknown, .inferred) : .lost
            }
        }
        guard let status, !status.overturns(entry.verdict) else { return status == nil ? nil : .overturned }
        return status.finalOutcome(of: entry.verdict).map { .outcome($0, .answered) }
    }
}

extension AuthorizationList {
    /// The ids of listed items that cannot be opened.
    package var faulty: Set<BankID> { Set(faults.flatMap { [$0.id].compactMap { $0 } + $0.alsoIDs }) }

    /// The authorizations that wait for a decision.
    package func pending(at now: Date) -> [Authorization] {
        authorizations.filter { $0.status == .pending && !$0.isExpired(at: now) }
    }
}
