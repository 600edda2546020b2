package import Basics
package import ApprovalModel

/// The answer to a claim was lost: the bank may have accepted it.
package struct LostClaim: Error, Sendable {
    package var cause: BankError
}

/// Claims instant actions. Each claim is recorded before it is sent, and the bank's answer after it. A link that is
/// itself the request is claimed without sending anything.
package struct Claiming: Sendable {
    let workspace: Workspace

    package init(_ workspace: Workspace) {
        self.workspace = workspace
    }

    /// The active connections that an action can be claimed for.
    package func candidates(for action: ActionLink) throws -> [Connection] {
        action.among(try workspace.connections.connections().filter(\.isKnownToBank))
    }

    /// Throws `LostClaim` if it is not known whether the bank accepted the claim.
    package func claim(
        _ action: ActionLink, for connection: Connection, by requester: Requester
    ) async throws -> ActionAnswer {
        try await workspace.asking(connection) { service in
            guard !action.isRequest else { return try await service.claim(action) }
            let sequence = try workspace.log.recordClaiming(
                ClaimedAction(action, for: connection), by: requester, at: workspace.clock.now())
            do {
                let answer = try await service.claim(action)
                record(answer.success ? .claimed : .refused, answer.authorization, of: sequence)
                return answer
            } catch let error as BankError {
                if Self.saysNothing(error) { throw LostClaim(cause: error) }
                record(.refused, nil, of: sequence)
                throw error
            }
        }
    }

    /// The bank has acted even if the log cannot record it; without this event the entry stays unknown.
    private func record(_ outcome: ClaimOutcome, _ authorization: BankID?, of sequence: Int64) {
        try? workspace.log.recordClaim(
            outcome, authorization: authorization, of: sequence, at: workspace.clock.now())
    }

    private static func saysNothing(_ error: BankError) -> Bool {
        switch error.kind {
        case .noAnswer, .malformedAnswer, .tooLarge: true
        default: error.brokeDown
        }
    }
}

extension BankError {
    /// A server, or a gateway in front of it, failed without an error class: it may have acted before that.
    var brokeDown: Bool { kind == .refused && errorClass == nil && (status ?? 0) >= 500 }
}
