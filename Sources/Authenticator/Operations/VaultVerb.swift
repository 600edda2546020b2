public import Basics

/// A verb that is carried out wherever the vault is open, without a question to the person: by a command that opened it for
/// itself, or by the agent.
public struct VaultVerb<Input: VerbInput, Output: Codable & Sendable>: Sendable {
    public let verb: Verb<Input, Output>
    /// What to say of a name that no path can hold.
    public let missing: LookupError.Code
    let carryOut: @Sendable (LocalOperations, _ name: String, Input) async throws -> Output

    init(
        _ name: String, _ method: VerbRules.Method, _ path: VerbPath, missing: LookupError.Code = .noConnection,
        effect: VerbRules.Effect = .none, endsWithCaller: Bool? = nil,
        _ carryOut: @escaping @Sendable (LocalOperations, _ name: String, Input) async throws -> Output
    ) {
        verb = Verb(name, method, path, effect: effect, while: .open, endsWithCaller: endsWithCaller)
        self.missing = missing
        self.carryOut = carryOut
    }

    /// The same without its types.
    var untyped: UntypedVaultVerb {
        UntypedVaultVerb(rules: verb.rules) { arguments in
            let input = try Input(arguments)
            return { operations in try await operations.perform(self, on: arguments.name, input) }
        }
    }
}

/// A `VaultVerb` whatever the types of its input and output are, for the agent's table.
package struct UntypedVaultVerb: Sendable {
    package typealias Action = @Sendable (any Operations) async throws -> any Encodable & Sendable

    package let rules: VerbRules
    /// Reads the input, and returns what carries the verb out with it. Throws a usage failure.
    package let read: @Sendable (VerbArguments) throws -> Action
}
