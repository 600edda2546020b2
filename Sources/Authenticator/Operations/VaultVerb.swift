public import Basics

/// A verb that needs only the open vault and no question to the person, so that the agent or a command with its own
/// vault can carry it out.
public struct VaultVerb<Input: VerbInput, Output: Codable & Sendable>: Sendable {
    public let verb: Verb<Input, Output>
    /// The error for a name that no path can hold.
    public let missing: LookupError.Code
    /// Describes the change for the question whether another program may make it: `ends the connection fern`. Nil if
    /// the verb changes nothing.
    let change: (@Sendable (_ name: String) -> String)?
    let carryOut: @Sendable (LocalOperations, _ name: String, Input) async throws -> Output

    init(
        _ name: String, _ method: VerbRules.Method, _ path: VerbPath, missing: LookupError.Code = .noConnection,
        change: (@Sendable (_ name: String) -> String)? = nil, endsWithCaller: Bool? = nil,
        _ carryOut: @escaping @Sendable (LocalOperations, _ name: String, Input) async throws -> Output
    ) {
        verb = Verb(
            name, method, path, effect: change == nil ? .none : .change, while: .open, endsWithCaller: endsWithCaller)
        self.missing = missing
        self.change = change
        self.carryOut = carryOut
    }

    /// The verb without its types.
    var untyped: UntypedVaultVerb {
        UntypedVaultVerb(rules: verb.rules, change: change) { arguments in
            let input = try Input(arguments)
            return { operations in try await operations.perform(self, on: arguments.name, input) }
        }
    }
}

/// A `VaultVerb` without its types of input and output, for the agent's table.
package struct UntypedVaultVerb: Sendable {
    package typealias Action = @Sendable (any Operations) async throws -> any Encodable & Sendable

    package let rules: VerbRules
    /// Describes the change at this name; nil if the verb changes nothing.
    package let change: (@Sendable (_ name: String) -> String)?
    /// Parses the input, and returns the action that carries out the verb with it. Throws a usage failure.
    package let read: @Sendable (VerbArguments) throws -> Action
}
