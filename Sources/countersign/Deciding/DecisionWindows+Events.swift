import Client
import Approvals

extension DecisionWindows {
    /// Runs `body`, and closes its windows when the request no longer needs an answer. To notice that, it polls the banks meanwhile, as
    /// `watch` does, unless somebody reads `incoming` already.
    func open<R>(
        _ operations: Carrier<any ApprovalHost>, _ incoming: IncomingEvents?, _ body: () async throws -> R
    ) async throws -> R {
        let timer = Task { await closeWhenExpired() }
        defer { timer.cancel() }
        if let incoming {
            incoming.whenTold { self.take($0) }
            defer { incoming.whenTold(nil) }
            return try await body()
        }
        let reader = Task {
            // If no events can be read, the windows stay open: the decision is checked anyway.
            do {
                for try await event in try await operations.events() {
                    take(event)
                    await look(event) {
                        try await operations.perform(ApprovalVerbs.authorization, on: card.reference, CardOptions())
                    }
                }
            } catch {
                cannotHear(error)
            }
        }
        return try await reader.beside(body)
    }
}
