public import Basics
import CPlatform

/// Unlocking by the PIN, and whoever needs an open agent.
extension AgentCore {
    /// Opens the agent. Without a PIN the agent asks for it.
    func unlock(_ pin: (any Secret)?, from source: PINSource, for caller: CallerContext) async throws {
        guard try parts.gate.status().isSet else { throw PINError(.notSet) }
        if let pin {
            try await open(with: pin, from: source, for: caller)
        } else {
            let asker = try await asker(for: caller, orElse: "countersign unlock")
            try await askForPIN(.unlock(caller.requester.words), caller) { question in
                try await self.asking(caller) { try await asker.askPIN(question) }
            } use: { pin in
                try await self.open(with: pin, from: .person, for: caller)
            }
        }
    }

    private func open(with pin: any Secret, from source: PINSource, for caller: CallerContext) async throws {
        let (gate, locks) = (parts.gate, locks)
        guard let pinID = try parts.pinID() else { throw PINError(.notSet) }
        let vault = try await KeyringWindows.$areAllowed.withValue(caller.mayAsk) {
            try await blocking {
                let vault = try gate.open(with: pin, from: source)
                vault.readAhead()
                return vault
            }
        }
        try opened(vault, by: pinID, since: locks)
        // scrypt's memory goes back to the system.
        countersign_trim_memory()
    }

    /// Wipes everything, because somebody asked for it.
    func lock() {
        shut()
        countersign_trim_memory()
    }

    func demandOpen() throws {
        guard case .open = tick() else { throw Self.isLocked }
    }

    /// A request of this caller: a person's is use.
    func use(for caller: CallerContext) {
        if caller.isPerson { use() }
    }

    public nonisolated static let isLocked = Failure(.locked, "the agent is locked", hint: "countersign unlock")
}
