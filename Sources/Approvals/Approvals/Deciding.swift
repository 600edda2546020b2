package import Basics
package import FoundationEssentials
package import ApprovalModel
package import Keys

/// An authorization whose fingerprint the caller named, which proves that the caller saw the card. Only this type can
/// be decided.
package struct ShownAuthorization: Sendable {
    package let connection: Connection
    package let authorization: Authorization
    /// The log's record of the card.
    let card: ShownCard

    /// Throws `DecisionError.changed` if `fingerprint` belongs to other content.
    package init(_ authorization: Authorization, of connection: Connection, named fingerprint: Fingerprint) throws {
        guard fingerprint == authorization.fingerprint else { throw DecisionError.changed }
        self.connection = connection
        self.authorization = authorization
        card = Card(authorization, of: connection).shown(authorization, of: connection)
    }
}

/// A decision that was sent, and its result as far as it is known.
package struct Decided: Sendable {
    package var at: Date
    package var outcome: Outcome
    package var basis: Basis?
    /// The error of the bank or of the call, if the outcome is not the wanted one.
    package var error: BankError?
    /// How many more wrong responses the bank accepts, if the error says so.
    package var attemptsLeft: Int?
    /// The code to type at the other side.
    package var code: DecisionAnswer.Code?
    /// Why the log could not record the outcome. The bank has the decision all the same, and the next poll records it.
    package var unrecorded: (any Error)?
}

/// Decides one authorization: checks the fingerprint of the shown content, signs, records, sends, and waits for the
/// outcome.
package struct Deciding: Sendable {
    /// How to wait for the outcome if the bank processes decisions asynchronously (v2).
    package struct Waiting: Sendable {
        package var isOn: Bool
        /// Seconds between two calls.
        package var interval: Double
        /// Seconds after which the outcome stays `processing`; includes the time of the calls.
        package var limit: Double
        /// Whether the person no longer waits; checked before each call.
        package var isGivenUp: @Sendable () -> Bool

        package init(
            isOn: Bool, interval: Double, limit: Double, isGivenUp: @escaping @Sendable () -> Bool = { false }
        ) {
            self.isOn = isOn
            self.interval = interval
            self.limit = limit
            self.isGivenUp = isGivenUp
        }
    }

    let workspace: Workspace

    package init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    /// Fetches one authorization in its present state. Throws `DecisionError.gone` if the bank does not list it.
    package func fetch(_ id: BankID, of connection: Connection) async throws -> Authorization {
        do {
            return try await workspace.asking(connection) { service in
                let found = try await service.authorization(id)
                if service.listsAnswered, try workspace.log.isAnswered(found) { throw missing(id, of: connection) }
                return found
            }
        } catch let error as BankError where error.kind == .authorizationGone {
            throw missing(id, of: connection)
        }
    }

    /// Why an authorization that no longer waits at the bank cannot be decided: a decision on it may be under way.
    package func missing(
        _ id: BankID, of connection: Connection, status: AuthorizationStatus? = nil
    ) -> DecisionError {
        if status?.isProcessing == true { return .underWay }
        let unanswered = (try? workspace.log.unresolved(of: connection.guid)) ?? []
        let isUnderWay = unanswered.contains { entry in
            entry.shown.id == id && (try? workspace.log.isUnderWay(entry.sequence)) == true
        }
        return isUnderWay ? .underWay : .gone
    }

    /// Throws if it cannot get this decision at `now` (`Decidable.obstacle`).
    func demandDecidable(
        _ authorization: Authorization, of connection: Connection, _ verdict: Verdict, hasPosition: Bool, at now: Date
    ) throws {
        switch authorization.obstacle(to: verdict, hasPosition: hasPosition, at: now) {
        case .gone?, .underWay?:
            throw missing(authorization.id, of: connection, status: authorization.status)
        case let error?: throw error
        case nil: break
        }
    }

    /// Approves. `option` must be one of `Authorization.options`, if there are any.
    package func approve(
        _ shown: ShownAuthorization, option: BankText? = nil, proof: ProvedPIN, at position: Geolocation?,
        by requester: Requester, waiting: Waiting
    ) async throws -> Decided {
        guard proof.approves(shown.authorization.fingerprint) else { throw DecisionError.notProved }
        try demand(option, of: shown)
        return try await decide(Reply(.approve, option: option, at: position), shown, by: requester, waiting: waiting)
    }

    /// After this many refused approvals of the same content, it can only be denied.
    package static let mostRefusals = 2

    private func demand(_ option: BankText?, of shown: ShownAuthorization) throws {
        guard let options = shown.authorization.options else {
            if option != nil { throw DecisionError.takesNoOption }
            return
        }
        guard !options.isEmpty else { throw DecisionError.onlyDenial }
        guard let option else { throw DecisionError.needsOption }
        guard options.contains(option) else { throw DecisionError.noSuchOption }
        let refusals = try workspace.log.entries().refusals(of: shown.authorization.fingerprint)
        guard refusals < Self.mostRefusals else { throw DecisionError.onlyDenial }
    }

    /// Denies. `reason` is sent if the bank accepts it. Throws `DecisionError.needsPIN` if the denial could be used as
    /// an approval and `proof` is nil.
    package func deny(
        _ shown: ShownAuthorization, reason: DenialReason? = nil, proof: ProvedPIN? = nil,
        at position: Geolocation?, by requester: Requester, waiting: Waiting
    ) async throws -> Decided {
        if let proof, !proof.approves(shown.authorization.fingerprint) { throw DecisionError.notProved }
        if shown.authorization.denialPassesAsApproval, proof == nil { throw DecisionError.needsPIN }
        let told = reason.flatMap { shown.authorization.denialReasons.contains($0) ? $0 : nil }
        return try await decide(Reply(.deny, reason: told, at: position), shown, by: requester, waiting: waiting)
    }

    private func decide(
        _ reply: Reply, _ shown: ShownAuthorization, by requester: Requester, waiting: Waiting
    ) async throws -> Decided {
        @Sendable func judge(_ authorization: Authorization, at now: Date) throws {
            try demandDecidable(
                authorization, of: shown.connection, reply.verdict, hasPosition: reply.position != nil, at: now)
        }
        try judge(shown.authorization, at: workspace.clock.now())
        let current = try await fetch(shown.authorization.id, of: shown.connection)
        guard current.fingerprint == shown.authorization.fingerprint else {
            throw DecisionError.changed
        }
        try judge(current, at: workspace.clock.now())
        return try await workspace.asking(shown.connection) { service in
            do {
                return try await send(reply, shown, by: requester, correction: 0, service, waiting)
            } catch let error as BankError where error.kind == .signatureExpired {
                let now = workspace.clock.now()
                guard let correction = try ClockCorrection.seconds(told: error, at: now) else { throw error }
                // The only time that the program sends a decision again by itself: the bank decided nothing, the clocks
                // differ.
                try judge(current, at: now.addingTimeInterval(Double(correction)))
                return try await send(reply, shown, by: requester, correction: correction, service, waiting)
            }
        }
    }

    /// Signs, records, sends once, and records the answer. Throws only `signatureExpired`, `connectionGone`, and errors
    /// from before the sending; `Decided` holds every later result.
    private func send(
        _ reply: Reply, _ shown: ShownAuthorization, by requester: Requester, correction: Int,
        _ service: any BankService, _ waiting: Waiting
    ) async throws -> Decided {
        let signed = try service.sign(reply, on: shown.authorization, clockCorrection: correction)
        try workspace.beforeSending()
        let recorded: RecordedDecision
        do {
            recorded = try workspace.log.recordSending(
                signed, shown: shown.card, by: requester, at: workspace.clock.now())
        } catch StoreError.alreadyDecided {
            throw try refusal(of: shown.card)
        }
        // Also if the answer was lost, so that the next poll may ask for the outcome.
        defer { recorded.call?.end() }
        do {
            let answer = try await service.send(recorded)
            let now = workspace.clock.now()
            let isTold = reply.verdict == .approve || shown.authorization.isDenialTold
            var decided = Decided(
                at: now, outcome: answer.outcome, basis: isTold ? .answered : nil, code: answer.code)
            write(into: &decided) { try workspace.log.recordAnswer(answer.outcome, to: recorded, at: now) }
            let isProof =
                answer.outcome == .confirmed && (shown.connection.status != .unconfirmed || service.confirmsByUse)
            let standing = answer.standing ?? (isProof ? Standing(.active) : nil)
            if let standing, answer.standing != nil || shown.connection.status != .active {
                write(into: &decided) { try workspace.take(standing, of: shown.connection) }
            }
            guard answer.outcome == .processing, waiting.isOn else { return decided }
            recorded.call?.end()
            return try await follow(recorded, from: decided, service, waiting)
        } catch let error as BankError {
            let now = workspace.clock.now()
            var decided = Decided(at: now, outcome: .unknown, basis: nil, error: error)
            if case .unreachable(_, let answerByHand) = error.kind { decided.code = answerByHand }
            if let standing = error.standing {
                write(into: &decided) { try workspace.take(standing, of: shown.connection) }
                var after = shown.connection
                write(into: &decided) { try after.take(standing, at: now) }
                decided.attemptsLeft = workspace.providers.facts(of: after).attemptsLeft
            }
            guard let outcome = Self.outcome(of: error, shown.authorization, at: now) else { return decided }
            decided.outcome = outcome
            decided.basis = outcome == .unsent ? nil : .answered
            write(into: &decided) { try workspace.log.recordAnswer(outcome, to: recorded, at: now) }
            if error.kind == .denialOverturned {
                write(into: &decided) { try workspace.log.resolve(recorded.sequence, .overturned, at: now) }
            }
            if error.kind == .signatureExpired || error.kind == .connectionGone { throw error }
            return decided
        }
    }

    /// Why the log refuses another decision on this authorization.
    private func refusal(of card: ShownCard) throws -> DecisionError {
        let earlier = try workspace.log.entries().last {
            ($0.shown.connection, $0.shown.id, $0.shown.code) == (card.connection, card.id, card.code)
        }
        guard let earlier, try workspace.log.isUnderWay(earlier.sequence) else {
            return .alreadyDecided(earlier)
        }
        return .underWay
    }

    /// The bank has the decision even if the log fails, so this failure is reported beside the outcome.
    private func write(into decided: inout Decided, _ record: () throws -> Void) {
        do {
            try record()
        } catch {
            decided.unrecorded = error
        }
    }

    /// The outcome of a logged decision after this error; nil if the error leaves it open.
    private static func outcome(
        of error: BankError, _ authorization: Authorization, at now: Date
    ) -> Outcome? {
        switch error.kind {
        case .noAnswer, .malformedAnswer, .tooLarge: nil
        case .authorizationGone: authorization.isExpired(at: error.bankTime ?? now) ? .expired : .refused
        // The action of this authorization is closed or has expired (saltedge-v2 section 10).
        case .actionRefused: .expired
        case .refused where error.brokeDown: nil
        case .unreachable, .insecure, .cryptography, .clocksDiffer, .unconfirmed, .enrollmentLost,
            .reconnectLost:
            .unsent
        case .refused, .connectionGone, .consentGone, .otherOption, .doubtful, .blocked, .signatureExpired,
            .denialOverturned, .notAccepted:
            .refused
        }
    }

    /// Polls until the status is final (saltedge-v2 section 8.6). Errors of the polls, also `AuthorizationNotFound`
    /// while the bank processes, do not end the wait.
    private func follow(
        _ recorded: RecordedDecision, from decided: Decided, _ service: any BankService, _ waiting: Waiting
    ) async throws -> Decided {
        var decided = decided
        var machine = StatusMachine()
        guard machine.act(recorded.decision.verdict) else { return decided }
        let start = workspace.clock.moment()
        var waited = 0.0
        while waited < waiting.limit, !waiting.isGivenUp() {
            // A caller that left ends the wait. The decision stays sent, so this is no error.
            guard (try? await workspace.clock.sleep(for: .seconds(waiting.interval))) != nil else { break }
            defer { waited = (workspace.clock.moment() - start) / .seconds(1) }
            guard let status = try? await service.status(of: recorded.decision.authorization.id) else { continue }
            machine.hear(status)
            guard let outcome = machine.outcome else { continue }
            let now = workspace.clock.now()
            decided.at = now
            decided.outcome = outcome
            if machine.isOverturned { decided.error = .denialOverturned }
            let resolution = machine.isOverturned ? Resolution.overturned : .outcome(outcome, .answered)
            write(into: &decided) { try workspace.log.resolve(recorded.sequence, resolution, at: now) }
            return decided
        }
        return decided
    }
}
