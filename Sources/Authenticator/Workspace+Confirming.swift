import Basics
import FoundationEssentials
import SCA

/// Connections whose enrollment was stored before the bank's answer to it was known.
extension Workspace {
    /// Asks the bank again for its lost answer, and returns the updated connection. Throws `BankError.unconfirmed` if
    /// it is too early for that, and `enrollmentLost` if the answer is lost for good; then the connection is erased.
    func confirmed(_ connection: Connection) async throws -> Connection {
        guard try !service(for: connection).isConfirmed else { return try await proved(connection) }
        guard connection.isAsked(at: clock.now()) else { throw Self.isUnconfirmed }
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
        do {
            return try await confirm(claimed)
        } catch let error as BankError where error.refusesForGood {
            try await Self.besideCalls { try erase(claimed) }
            var lost = error
            lost.code = .enrollmentLost
            lost.reason = "the answer to the enrollment was lost, and the connection was erased: \(error.reason)"
            throw lost
        }
    }

    /// Sends the bank what completes the enrollment, and proves the connection.
    func confirm(_ connection: Connection) async throws -> Connection {
        let details = try await service(for: connection).confirm()
        let known = try await Self.besideCalls {
            try connections.update(connection.guid) { current in
                guard current.keyID == connection.keyID else { throw Self.isUnconfirmed }
                current.details = details
            }
        }
        return try await proved(known)
    }

    private func proved(_ connection: Connection) async throws -> Connection {
        try await service(for: connection).prove()
        return try await Self.besideCalls {
            try connections.update(connection.guid) { current in
                guard current.keyID == connection.keyID else { return }
                current.status = .active
                current.updatedAt = clock.now()
            }
        }
    }

    /// Removes what was stored for an enrollment that failed.
    func erase(_ connection: Connection) throws {
        try connections.exclusively {
            try vault.destroy(connection.keyID)
            try connections.remove(connection.guid)
        }
    }

    private static let isUnconfirmed = BankError(
        .unconfirmed, "the answer to the enrollment is not known yet; it is asked for again in a minute")
}

extension Connection {
    /// In seconds. Longer than any call takes, so that a second request for the answer never overtakes the first.
    private static let confirmationPause = 75.0

    /// Whether its bank may be asked. An unconfirmed one only if nobody can still be waiting for the answer to its
    /// enrollment.
    func isAsked(at now: Date) -> Bool {
        switch status {
        case .active, .doubtful, .blocked: true
        case .unconfirmed: abs(now.timeIntervalSince(updatedAt)) >= Self.confirmationPause
        case .inactive: false
        }
    }
}

extension BankError {
    /// The bank answered no: it has accepted nothing.
    var refusesForGood: Bool { (code == .refused || code == .connectionGone) && !brokeDown }

    /// Whether the bank cannot have accepted what was sent.
    var meansNothingWasTaken: Bool {
        switch code {
        case .noAnswer, .malformedAnswer, .tooLarge, .unconfirmed: false
        case .unreachable, .insecure, .refused, .connectionGone, .authorizationGone, .consentGone, .actionRefused,
            .doubtful, .blocked, .signatureExpired, .clocksDiffer, .denialOverturned, .notAccepted, .enrollmentLost,
            .cryptography:
            !brokeDown
        }
    }
}
