public import Basics

/// A verb that needs only the sessions of an open vault, so that the agent or a command with its own vault can carry it out.
public struct SessionVerb<Input: VerbInput, Output: Codable & Sendable>: Sendable {
    public let verb: Verb<Input, Output>
    let carryOut: @Sendable (LocalSessions, _ name: String, Input) async throws -> Output

    init(
        _ name: String, _ method: VerbRules.Method, _ path: VerbPath, effect: VerbRules.Effect = .none,
        callers: VerbRules.Callers = .ownProgram, endsWithCaller: Bool? = nil,
        _ carryOut: @escaping @Sendable (LocalSessions, _ name: String, Input) async throws -> Output
    ) {
        verb = Verb(
            name, method, path, effect: effect, while: .atHand, callers: callers, endsWithCaller: endsWithCaller)
        self.carryOut = carryOut
    }

    /// The verb without its types.
    package var untyped: UntypedSessionVerb {
        UntypedSessionVerb(rules: verb.rules) { arguments in
            let input = try Input(arguments)
            return { sessions in try await sessions.perform(self, on: arguments.name, input) }
        }
    }
}

/// A `SessionVerb` without its types of input and output, for the agent's table.
package struct UntypedSessionVerb: Sendable {
    package typealias Action = @Sendable (any SessionOperations) async throws -> any Encodable & Sendable

    package let rules: VerbRules
    /// Parses the input, and returns the action that carries out the verb with it. Throws a usage failure.
    package let read: @Sendable (VerbArguments) throws -> Action
}
