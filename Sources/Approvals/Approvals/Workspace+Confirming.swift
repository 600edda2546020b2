import Basics
import FoundationEssentials
import ApprovalModel

/// Connections whose enrollment was stored before the bank's answer to it was known.
extension Workspace {
    /// Asks the bank again for its lost answer, and returns the updated connection. Throws `BankError.unconfirmed` if
    /// it is too early for that. If the answer is lost for good, throws `enrollmentLost` and erases the connection, or
    /// throws `reconnectLost` and goes back to the connection that was to be replaced.
    func confirmed(_ connection: Connection) async throws -> Connection {
        guard try !service(for: connection).isConfirmed else { return try await proved(connection) }
        guard connection.isConfirmable(at: clock.now()) else { throw Self.isUnconfirmed }
        // The process that asks records the time first. The bank accepts the credential once, so two must never ask at
        // the same time.
        let claimed = try await Self.besideCalls {
            try connections.update(connection.guid) { current in
                guard current.status == .unconfirmed, current.updatedAt == connection.updatedAt else {
                    throw Self.isUnconfirmed
                }
                current.updatedAt = clock.now()
            }
        }
        let known: Connection
        do {
            known = try await handIn(claimed)
        } catch let error as BankError where error.refusesForGood {
            try await Self.besideCalls { try withdraw(claimed) }
            throw error.lost(isReconnect: !claimed.replaced.isEmpty)
        }
        return try await proved(known)
    }

    /// The connection to ask the bank by. If it is too early to ask again for the lost answer to a reconnect, this is the earlier
    /// connection: the bank goes on to take its key until the new one has arrived.
    func usable(_ connection: Connection) async throws -> Connection {
        if let earlier = try earlier(than: connection) { return earlier }
        return try await confirmed(connection)
    }

    /// The connection that this one replaces, as long as it is in use.
    func earlier(than connection: Connection) throws -> Connection? {
        guard connection.status == .unconfirmed, !connection.isConfirmable(at: clock.now()),
            let earlier = connection.earlier, earlier.isKnownToBank
        else { return nil }
        let service = try service(for: connection)
        return service.confirmsByUse || service.isConfirmed ? nil : earlier
    }

    /// Sends the bank the answer that completes the enrollment, and proves the connection.
    func confirm(_ connection: Connection) async throws -> Connection {
        try await proved(try await handIn(connection))
    }

    /// Sends the bank the answer that completes the enrollment, and stores the bank's reply.
    private func handIn(_ connection: Connection) async throws -> Connection {
        let state = try await service(for: connection).confirm()
        return try await Self.besideCalls {
            try connections.update(connection.guid) { current in
                guard current.keyID == connection.keyID else { throw Self.isUnconfirmed }
                current.state = state
            }
        }
    }

    private func proved(_ connection: Connection) async throws -> Connection {
        try await service(for: connection).prove()
        return try await Self.besideCalls {
            try change(connection) { current in
                current.status = .active
                current.replaced = []
                current.updatedAt = clock.now()
            }
        }
    }

    /// Undoes the storing of an enrollment that failed: restores the connection that was to be replaced, or erases a
    /// new one.
    func withdraw(_ connection: Connection) throws {
        guard let restored = connection.restored else {
            return try connections.exclusively {
                // Meanwhile it may have been enrolled again, with other keys.
                guard try connections.connections().contains(where: { $0.keyIDs == connection.keyIDs }) else { return }
                try vault.destroy(connection.keyID)
                try connections.remove(connection.guid)
            }
        }
        try change(connection) { current in
            // It may have been renamed meanwhile.
            current = current.restored ?? restored
        }
    }

    static let isUnconfirmed = BankError(
        .unconfirmed, "the answer to the enrollment is not known yet; it is asked for again in a minute")
}

extension Connection {
    /// In seconds. Longer than any call takes, so that a second request for the answer never overtakes the first.
    private static let confirmationPause = 75.0

    /// Whether its bank may be asked. An unconfirmed one only if it replaces another one, whose key serves meanwhile, or if nobody can
    /// still be waiting for the answer to its enrollment.
    func isAsked(at now: Date) -> Bool {
        switch status {
        case .active, .doubtful, .blocked: true
        case .unconfirmed: isConfirmable(at: now) || earlier?.isKnownToBank == true
        case .inactive: false
        }
    }

    /// Whether nobody can still be waiting for the answer to its enrollment.
    fileprivate func isConfirmable(at now: Date) -> Bool {
        abs(now.timeIntervalSince(updatedAt)) >= Self.confirmationPause
    }
}

extension BankError {
    /// The bank answered no: it has accepted nothing.
    var refusesForGood: Bool { (kind == .refused || kind == .connectionGone) && !brokeDown }

    /// The same error for an enrollment whose answer was lost before.
    fileprivate func lost(isReconnect: Bool) -> BankError {
        var lost = self
        lost.kind = isReconnect ? .reconnectLost : .enrollmentLost
        lost.reason =
            isReconnect
            ? "the answer to the reconnect was lost, and the earlier key is used again, which the bank may no longer take: \(reason)"
            : "the answer to the enrollment was lost, and the connection was erased: \(reason)"
        return lost
    }

    /// Whether the bank cannot have accepted the request.
    var meansNothingWasTaken: Bool {
        switch kind {
        case .noAnswer, .malformedAnswer, .tooLarge, .unconfirmed: false
        case .unreachable, .insecure, .refused, .connectionGone, .authorizationGone, .consentGone, .actionRefused,
            .otherOption, .doubtful, .blocked, .signatureExpired, .clocksDiffer, .denialOverturned, .notAccepted,
            .enrollmentLost,
            .reconnectLost, .cryptography:
            !brokeDown
        }
    }
}
