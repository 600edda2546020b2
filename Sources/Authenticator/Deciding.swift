public import Basics
public import FoundationEssentials
public import SCA

/// An authorization whose fingerprint the caller named. Only this can be decided: a fingerprint is learned from the card alone.
public struct ShownAuthorization: Sendable {
    public let connection: Connection
    public let authorization: Authorization
    /// What the log keeps of it.
    let card: ShownCard

    /// Throws `DecisionError.changed` when `fingerprint` is that of other content.
    public init(_ authorization: Authorization, of connection: Connection, named fingerprint: Fingerprint) throws {
        guard fingerprint == authorization.fingerprint else { throw DecisionError(.changed, now: authorization) }
        self.connection = connection
        self.authorization = authorization
        card = Card(authorization, of: connection).shown(authorization, of: connection)
    }
}

/// That the PIN was entered after this very content was shown: what an approval needs (design; saltedge-v1 section 8.4), and a
/// denial that could pass as one.
public struct ApprovalProof: Sendable {
    let fingerprint: Fingerprint
}

/// Why a decision was not sent. Equality is by code.
public struct DecisionError: Error, Sendable, Equatable {
    public enum Code: Sendable {
        /// What the bank serves now is not what was shown; `now` has it.
        case changed
        case expired
        /// The bank no longer lists it: decided elsewhere, cancelled or expired.
        case gone
        /// The bank wants a position and there is none.
        case geolocationRequired
        /// Approving means to choose an option, and none was named.
        case needsOption
        /// What was named is none of the options.
        case noSuchOption
        /// There is nothing to choose, and an option was named.
        case takesNoOption
        /// It can only be denied: there is no option, or too many approvals of it were refused.
        case onlyDenial
        /// A denial that could pass as an approval takes the PIN.
        case needsPIN
        /// The PIN was entered for other content.
        case notProved
        /// A decision on this very authorization was sent and may count; `earlier` has it.
        case alreadyDecided
        /// A decision on this very authorization is on its way to the bank right now, or the bank works on one.
        case underWay
    }

    public var code: Code
    public var now: Authorization?
    public var earlier: DecisionEntry?

    public init(_ code: Code, now: Authorization? = nil, earlier: DecisionEntry? = nil) {
        self.code = code
        self.now = now
        self.earlier = earlier
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

/// A decision that was sent, and what is known of it.
public struct Decided: Sendable {
    public var at: Date
    public var outcome: Outcome
    public var basis: Basis?
    /// What the bank, or the way to it, said when the outcome is not the wanted one.
    public var error: BankError?
    /// What the person types at the other side.
    public var code: DecisionAnswer.Code?
    /// Why the log could not take the outcome; the bank has the decision all the same, and the next poll records it.
    public var unrecorded: (any Error)?
}

/// Shows one authorization, takes the decision, records it, sends it, and follows it to its end.
public struct Deciding: Sendable {
    /// How an answer is awaited where the bank works asynchronously (v2).
    public struct Waiting: Sendable {
        public var isOn: Bool
        /// Seconds between two questions.
        public var interval: Double
        /// Seconds, the bank's own time to answer included, after which the outcome stays `processing`.
        public var limit: Double
        /// Whether the person no longer waits; asked before each question.
        public var isGivenUp: @Sendable () -> Bool

        public init(
            isOn: Bool, interval: Double, limit: Double, isGivenUp: @escaping @Sendable () -> Bool = { false }
        ) {
            self.isOn = isOn
            self.interval = interval
            self.limit = limit
            self.isGivenUp = isGivenUp
        }
    }

    let session: Session

    public init(_ session: Session) {
        self.session = session
    }

    /// Fetches one authorization as it stands now. Throws `DecisionError.gone` when the bank does not list it.
    public func fetch(_ id: BankID, of connection: Connection) async throws -> Authorization {
        do {
            return try await session.asking(connection) { try await $0.authorization(id) }
        } catch let error as BankError where error.code == .authorizationGone {
            throw missing(id, of: connection)
        }
    }

    /// Why what no longer waits at the bank cannot be decided: perhaps a decision on it is under way.
    public func missing(
        _ id: BankID, of connection: Connection, status: AuthorizationStatus? = nil
    ) -> DecisionError {
        if status?.isProcessing == true { return DecisionError(.underWay) }
        let unanswered = (try? session.log.unresolved(of: connection.guid)) ?? []
        let isUnderWay = unanswered.contains { entry in
            entry.shown.id == id && (try? session.log.isUnderWay(entry.sequence)) == true
        }
        return DecisionError(isUnderWay ? .underWay : .gone)
    }

    /// Checks the PIN for an approval, after the card was shown. Throws what the gate throws.
    public func prove(
        _ pin: any Secret, from source: PINSource, at gate: any PINGate, for shown: ShownAuthorization
    ) throws -> ApprovalProof {
        _ = try gate.open(with: pin, from: source)
        return ApprovalProof(fingerprint: shown.authorization.fingerprint)
    }

    /// The proof of a PIN that opened the vault for this content alone: `claim`, its fingerprint or the first digits of it, was
    /// named before the PIN was read. Nil for other content.
    public func proof(byOpeningFor claim: String, for shown: ShownAuthorization) -> ApprovalProof? {
        guard shown.authorization.fingerprint.matches(claim) == true else { return nil }
        return ApprovalProof(fingerprint: shown.authorization.fingerprint)
    }

    /// `option`: one of `Authorization.options`, where there are any.
    public func approve(
        _ shown: ShownAuthorization, option: BankText? = nil, proof: ApprovalProof, at position: Geolocation?,
        by requester: Requester, waiting: Waiting
    ) async throws -> Decided {
        guard proof.fingerprint == shown.authorization.fingerprint else { throw DecisionError(.notProved) }
        if shown.connection.geolocationRequired == true, position == nil { throw DecisionError(.geolocationRequired) }
        try demand(option, of: shown)
        return try await decide(Reply(.approve, option: option, at: position), shown, by: requester, waiting: waiting)
    }

    /// How many approvals of the same choice may be refused, before it can only be denied.
    public static let mostRefusals = 2

    private func demand(_ option: BankText?, of shown: ShownAuthorization) throws {
        guard let options = shown.authorization.options else {
            if option != nil { throw DecisionError(.takesNoOption) }
            return
        }
        guard !options.isEmpty else { throw DecisionError(.onlyDenial) }
        guard let option else { throw DecisionError(.needsOption) }
        guard options.contains(option) else { throw DecisionError(.noSuchOption) }
        let refusals = try session.log.entries().refusals(of: shown.authorization.fingerprint)
        guard refusals < Self.mostRefusals else { throw DecisionError(.onlyDenial) }
    }

    /// `reason`: told where the bank takes it. Throws `DecisionError.needsPIN` where a denial could pass as an approval and there is no proof.
    public func deny(
        _ shown: ShownAuthorization, reason: DenialReason? = nil, proof: ApprovalProof? = nil,
        at position: Geolocation?, by requester: Requester, waiting: Waiting
    ) async throws -> Decided {
        if let proof, proof.fingerprint != shown.authorization.fingerprint { throw DecisionError(.notProved) }
        if shown.authorization.denialPassesAsApproval, proof == nil { throw DecisionError(.needsPIN) }
        let told = reason.flatMap { shown.authorization.denialReasons.contains($0) ? $0 : nil }
        return try await decide(Reply(.deny, reason: told, at: position), shown, by: requester, waiting: waiting)
    }

    private func decide(
        _ reply: Reply, _ shown: ShownAuthorization, by requester: Requester, waiting: Waiting
    ) async throws -> Decided {
        let current = try await fetch(shown.authorization.id, of: shown.connection)
        guard current.fingerprint == shown.authorization.fingerprint else {
            throw DecisionError(.changed, now: current)
        }
        guard current.status == .pending else {
            throw missing(current.id, of: shown.connection, status: current.status)
        }
        let couldApprove = reply.verdict == .approve || current.denialPassesAsApproval
        if couldApprove, current.isExpired(at: session.clock.now()) { throw DecisionError(.expired) }
        return try await session.asking(shown.connection) { service in
            do {
                return try await send(reply, shown, by: requester, correction: 0, service, waiting)
            } catch let error as BankError where error.code == .signatureExpired {
                let now = session.clock.now()
                guard let correction = try ClockCorrection.seconds(told: error, at: now) else { throw error }
                // The one second send that the program makes by itself: nothing was decided, only the clocks differ.
                if couldApprove, current.isExpired(at: now.addingTimeInterval(Double(correction))) {
                    throw DecisionError(.expired)
                }
                return try await send(reply, shown, by: requester, correction: correction, service, waiting)
            }
        }
    }

    /// Signs, records, sends once, records the answer. Throws only `signatureExpired`, `connectionGone` and what happens
    /// before the request leaves; everything later is told by the outcome.
    private func send(
        _ reply: Reply, _ shown: ShownAuthorization, by requester: Requester, correction: Int,
        _ service: any BankService, _ waiting: Waiting
    ) async throws -> Decided {
        let signed = try service.sign(reply, on: shown.authorization, clockCorrection: correction)
        try session.beforeSending()
        let recorded: RecordedDecision
        do {
            recorded = try session.log.recordSending(signed, shown: shown.card, by: requester, at: session.clock.now())
        } catch let error as StoreError where error.code == .alreadyDecided {
            throw try refusal(of: shown.card)
        }
        // Also where the answer was lost: from then on the next poll may find out what became of it.
        defer { recorded.call?.end() }
        do {
            let answer = try await service.send(recorded)
            let now = session.clock.now()
            let isTold = reply.verdict == .approve || shown.authorization.isDenialTold
            var decided = Decided(
                at: now, outcome: answer.outcome, basis: isTold ? .answered : nil, code: answer.code)
            write(into: &decided) { try session.log.recordAnswer(answer.outcome, to: recorded, at: now) }
            let standing = answer.standing ?? (answer.outcome == .confirmed ? Standing(.active) : nil)
            if let standing, answer.standing != nil || shown.connection.status != .active {
                write(into: &decided) { try session.take(standing, of: shown.connection) }
            }
            guard answer.outcome == .processing, waiting.isOn else { return decided }
            recorded.call?.end()
            return try await follow(recorded, from: decided, service, waiting)
        } catch let error as BankError {
            let now = session.clock.now()
            var decided = Decided(at: now, outcome: .unknown, basis: nil, error: error, code: error.answerByHand)
            if let standing = error.standing {
                write(into: &decided) { try session.take(standing, of: shown.connection) }
            }
            guard let outcome = Self.outcome(of: error, shown.authorization, at: now) else { return decided }
            decided.outcome = outcome
            decided.basis = .answered
            write(into: &decided) { try session.log.recordAnswer(outcome, to: recorded, at: now) }
            if error.code == .denialOverturned {
                write(into: &decided) { try session.log.resolve(recorded.sequence, .overturned, at: now) }
            }
            if error.code == .signatureExpired || error.code == .connectionGone { throw error }
            return decided
        }
    }

    /// Why no decision on this is recorded now.
    private func refusal(of card: ShownCard) throws -> DecisionError {
        let earlier = try session.log.entries().last {
            ($0.shown.connection, $0.shown.id, $0.shown.code) == (card.connection, card.id, card.code)
        }
        guard let earlier, try session.log.isUnderWay(earlier.sequence) else {
            return DecisionError(.alreadyDecided, earlier: earlier)
        }
        return DecisionError(.underWay, earlier: earlier)
    }

    /// What the bank has cannot be taken back by a log that fails: the failure goes with the outcome.
    private func write(into decided: inout Decided, _ record: () throws -> Void) {
        do {
            try record()
        } catch {
            decided.unrecorded = error
        }
    }

    /// What an error says about a decision that was sent; nil when it says nothing.
    private static func outcome(
        of error: BankError, _ authorization: Authorization, at now: Date
    ) -> Outcome? {
        switch error.code {
        case .noAnswer, .malformedAnswer, .tooLarge: nil
        case .authorizationGone: authorization.isExpired(at: error.bankTime ?? now) ? .expired : .refused
        // The action behind it is closed or over (saltedge-v2 section 10).
        case .actionRefused: .expired
        case .refused where error.brokeDown: nil
        default: .refused
        }
    }

    /// Polls until the status is final (saltedge-v2 section 8.6). An outage on the way is not an answer, so the waiting
    /// goes on; neither is `AuthorizationNotFound` while the bank processes.
    private func follow(
        _ recorded: RecordedDecision, from decided: Decided, _ service: any BankService, _ waiting: Waiting
    ) async throws -> Decided {
        var decided = decided
        var machine = StatusMachine()
        guard machine.act(recorded.decision.verdict) else { return decided }
        let start = session.clock.moment()
        var waited = 0.0
        while waited < waiting.limit, !waiting.isGivenUp() {
            try await session.clock.sleep(for: .seconds(waiting.interval))
            defer { waited = (session.clock.moment() - start) / .seconds(1) }
            guard let status = try? await service.status(of: recorded.decision.authorization.id) else { continue }
            machine.hear(status)
            guard let outcome = machine.outcome else { continue }
            let now = session.clock.now()
            decided.at = now
            decided.outcome = outcome
            if machine.isOverturned { decided.error = .denialOverturned }
            let resolution = machine.isOverturned ? Resolution.overturned : .outcome(outcome, .answered)
            write(into: &decided) { try session.log.resolve(recorded.sequence, resolution, at: now) }
            return decided
        }
        return decided
    }
}
