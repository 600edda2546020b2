package import Basics
import CPlatform
import Keys
import Pinentry

/// Unlocking with the PIN, and the check that the agent is open.
extension AgentCore {
    /// Opens the agent with this PIN, or asks for the PIN if `pin` is nil.
    func unlock(_ pin: (any Secret)?, from source: PINSource, for caller: CallerContext) async throws {
        guard try dependencies.gate.status().isSet else { throw PINError.notSet }
        if let pin {
            try await open(with: pin, from: source, for: caller)
        } else {
            let asker = try await asker(for: caller, orElse: "countersign unlock")
            let words = wings.lazy.compactMap(\.unlockWords).first ?? "Enter your PIN"
            try await askForPIN(.unlock(words, caller.requester.words), caller) { question in
                try await self.asking(caller) { try await asker.askPIN(question) }
            } use: { pin in
                try await self.open(with: pin, from: caller.pinSource, for: caller)
            }
        }
    }

    private func open(with pin: any Secret, from source: PINSource, for caller: CallerContext) async throws {
        let (gate, locks) = (dependencies.gate, locks)
        guard let pinID = try dependencies.pinID() else { throw PINError.notSet }
        let vault = try await KeyringWindows.$areAllowed.withValue(caller.mayAsk) {
            try await blocking {
                let vault = try gate.open(with: pin, from: source)
                vault.readAhead()
                return vault
            }
        }
        try opened(vault, by: pinID, since: locks)
        // Gives scrypt's memory back to the system.
        countersign_trim_memory()
    }

    /// Checks a PIN that was entered for something else than unlocking. Throws `PINError`, and a failure of kind `locked` if a lock came
    /// meanwhile.
    func prove(_ pin: any Secret, from source: PINSource) async throws -> ProvedPIN {
        let (gate, locks) = (dependencies.gate, locks)
        guard let pinID = try dependencies.pinID() else { throw PINError.notSet }
        let proof = try await blocking { try gate.prove(pin, from: source) }
        guard try dependencies.pinID() == pinID else { throw PINError.changed }
        guard locks == self.locks else { throw Self.isLocked }
        countersign_trim_memory()
        return proof
    }

    /// Wipes everything, because the person asked for it.
    func lock() {
        shut()
        countersign_trim_memory()
    }

    func demandOpen() throws {
        guard case .open = tick() else { throw Self.isLocked }
    }

    /// Notes a request of this caller. Only a person's request prolongs the unlock.
    func use(for caller: CallerContext) {
        if caller.isPerson { use() }
    }

    package nonisolated static let isLocked = Failure.agentLocked
}
