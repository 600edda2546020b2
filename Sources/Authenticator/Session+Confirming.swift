import Basics
import FoundationEssentials
import SCA

/// A connection whose enrollment was stored before the bank's answer to it was known.
extension Session {
    /// Asks once more for the answer that was lost; returns the connection as it is then. Throws `BankError.unconfirmed` while it is
    /// too early for that, and `enrollmentLost` when it is lost for good: then nothing of the connection is left.
    func confirmed(_ connection: Connection) async throws -> Connection {
        guard try !service(for: connection).isConfirmed else { return try await proved(connection) }
        guard connection.isAsked(at: clock.now()) else { throw Self.isUnconfirmed }
        // Whoever asks writes down when: the bank takes the credential once, so no two may ask at the same time.
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

    /// Hands in what the bank needs, and proves it.
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

    /// Takes back what was stored for an enrollment that came to nothing.
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
    /// Longer than any call takes, so that a second question for a lost answer never crosses the first.
    private static let confirmationPause = 75.0

    /// Whether its bank is asked: an unconfirmed one only when nobody can be waiting for the answer to its enrollment.
    func isAsked(at now: Date) -> Bool {
        switch status {
        case .active, .doubtful, .blocked: true
        case .unconfirmed: abs(now.timeIntervalSince(updatedAt)) >= Self.confirmationPause
        case .inactive: false
        }
    }
}

extension BankError {
    /// The bank answered, and said no: it has nothing of what was handed in.
    var refusesForGood: Bool { (code == .refused || code == .connectionGone) && !brokeDown }

    /// The bank cannot have taken what was handed in.
    var meansNothingWasTaken: Bool {
        switch code {
        case .noAnswer, .malformedAnswer, .tooLarge, .unconfirmed: false
        default: !brokeDown
        }
    }
}
