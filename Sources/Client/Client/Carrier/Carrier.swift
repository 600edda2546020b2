import Basics
package import Keys
package import Verbs
import AgentWire

/// Carries verbs out for a front end: by the socket of the agent that runs, or on the vault that this command opened.
///
///     let consents = try await carrier.perform(ApprovalVerbs.consents, ConsentsRequest(connection: nil))
package struct Carrier<Host: Sendable>: Sendable {
    enum Way: Sendable {
        case agent(AgentClient)
        case vault(Host)
    }

    let way: Way

    init(agent client: AgentClient) { way = .agent(client) }

    /// `host`: the opened vault.
    package init(vault host: Host) { way = .vault(host) }

    /// Throws the errors of the verb; `Failure(_:)` turns them into a `Failure`. Every answer is safe to show.
    ///
    /// - Parameters:
    ///   - name: fills the placeholder in the verb's path; empty if it has none.
    ///   - pin: for a verb that takes one. It never passes through JSON.
    package func perform<Input, Output: Codable>(
        _ verb: Verb<Host, Input, Output>, on name: String = "", _ input: Input, pin: EnteredPIN? = nil
    ) async throws -> Output {
        switch way {
        case .agent(let client): try await client.perform(verb, on: name, input, pin: pin)
        case .vault(let host): try await verb.carryOut(host, VerbCall(name: name, input: input, pin: pin))
        }
    }

    @discardableResult
    package func perform<Output: Codable>(
        _ verb: Verb<Host, NoInput, Output>, on name: String = "", pin: EnteredPIN? = nil
    ) async throws -> Output { try await perform(verb, on: name, NoInput(), pin: pin) }

    // MARK: The lock

    /// Whether the vault locks by itself when idle, and sends an event for it. If not, the front end must lock.
    package var locksItself: Bool { if case .agent = way { true } else { false } }

    /// The person is here: a key was pressed. Throws only when an agent is locked: nothing is lost if it does not learn of a key press.
    package func use() async throws {
        guard case .agent(let client) = way else { return }
        do {
            try await client.tell(AgentVerbs.use)
        } catch let failure as Failure where failure.kind != .locked {}
    }

    /// Closes the vault that the PIN opened. The vault of a command is closed when the command ends.
    package func lock() async throws {
        if case .agent(let client) = way { try await client.tell(AgentVerbs.lock) }
    }
}
