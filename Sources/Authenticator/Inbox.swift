package import FoundationEssentials
public import SCA

/// Fetches what waits for a decision, of many banks at once, and settles earlier decisions whose answer never came.
public struct Inbox: Sendable {
    /// What one connection's bank said.
    public typealias Answer = BankAnswer<AuthorizationList>

    /// An authorization with the connection that it belongs to.
    public struct Item: Sendable {
        public var connection: Connection
        public var authorization: Authorization

        public init(connection: Connection, authorization: Authorization) {
            self.connection = connection
            self.authorization = authorization
        }

        public var reference: String { Reference.text(connection.name, authorization.id) }

        /// By `created_at`, then by reference (saltedge-v1 section 13).
        static func areInOrder(_ a: Item, _ b: Item) -> Bool {
            (a.authorization.createdAt ?? .distantPast, a.reference)
                < (b.authorization.createdAt ?? .distantPast, b.reference)
        }
    }

    let session: Session

    public init(_ session: Session) {
        self.session = session
    }

    /// Asks the banks of these connections at once; one dead bank never delays the answers of the others. Inactive ones
    /// are not asked. The order is that of `connections`.
    public func fetch(_ connections: [Connection]) async -> [Answer] {
        await session.askingEach(of: connections) { try await list($0, isSettled: false) }
    }

    /// The undecided, unexpired items of these answers, in order.
    public func items(of answers: [Answer]) -> [Item] {
        let now = session.clock.now()
        return answers.flatMap { answer in
            ((try? answer.result.get())?.pending(at: now) ?? [])
                .map { Item(connection: answer.connection, authorization: $0) }
        }
        .sorted(by: Item.areInOrder)
    }

    /// Asks the bank of one connection, and settles by its answer. `isSettled`: it is known that no decision waits for that.
    public func ask(_ connection: Connection, isSettled: Bool = false) async -> Answer {
        await Answer(connection) { try await list(connection, isSettled: isSettled) }
    }

    private func list(_ connection: Connection, isSettled: Bool) async throws -> AuthorizationList {
        try await session.asking(connection) { service in
            let list = try await service.authorizations()
            if !isSettled {
                try await Session.besideCalls { try await settle(connection, by: list, asking: service) }
            }
            return list
        }
    }

    /// Settles what an earlier run left open (design, "What you see is what you sign"). Never sends a decision.
    private func settle(_ connection: Connection, by list: AuthorizationList, asking service: any BankService)
        async throws
    {
        for entry in try session.log.unresolved(of: connection.guid) where !isInFlight(entry) {
            guard let resolution = try await judge(entry, by: list, asking: service) else { continue }
            try session.log.resolve(entry.sequence, resolution, at: session.clock.now())
        }
    }

    /// Whether another process may be waiting for the answer right now: it lives, and its request cannot have timed out.
    private func isInFlight(_ entry: DecisionEntry) -> Bool {
        let age = session.clock.now().timeIntervalSince(entry.at)
        return entry.outcome == .unknown && (0..<60).contains(age) && session.isAlive(entry.requester.pid)
    }

    private func judge(
        _ entry: DecisionEntry, by list: AuthorizationList, asking service: any BankService
    ) async throws -> Resolution? {
        let id = entry.shown.id
        if let item = list.authorizations.first(where: { $0.id == id && $0.status == .pending }) {
            // Other content under the same id: what became of the one that was decided, only the bank knows.
            guard item.fingerprint == entry.shown.fingerprint else { return .lost }
            return entry.outcome == .processing ? nil : .stillOpen
        }
        var status = list.settled[id]
        if status == nil, !list.listed.contains(id) {
            do {
                status = try await service.status(of: id)
            } catch let error as BankError where error.code == .authorizationGone {
                return .lost
            }
            if status == nil {
                // An item whose id cannot be read may be this one.
                if list.faults.contains(where: { $0.id == nil }) { return nil }
                // v1 has no status: gone before its time means that the answer counted (design).
                let bankNow = list.bankTime ?? session.clock.now()
                guard bankNow < entry.shown.expiresAt else { return .lost }
                return .outcome(entry.verdict == .approve ? .confirmed : .denied, .inferred)
            }
        }
        return status.flatMap { $0.finalOutcome(of: entry.verdict) }.map { .outcome($0, .answered) }
    }
}

extension AuthorizationList {
    /// Those that wait for a decision.
    package func pending(at now: Date) -> [Authorization] {
        authorizations.filter { $0.status == .pending && !$0.isExpired(at: now) }
    }
}
