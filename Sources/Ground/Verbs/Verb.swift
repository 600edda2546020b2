package import Basics
package import Keys

/// One thing that a front end can ask for, written once: its name, its place in the API, who may ask for it in which
/// state of the lock, and its action.
///
/// A job lists its verbs as values. A command without an agent carries a verb out on its own vault, the socket's client
/// sends it, the agent serves it, and a test compares it with the OpenAPI file. All four use this value, so a new verb
/// takes its line here, its entry in the OpenAPI file, and its test.
///
///     static let rename = Verb<any ApprovalHost, NewName, OneConnectionPayload>(
///         "rename", .patch, "/connections/{name}", effect: .change, while: .open
///     ) { host, call in try await host.operations(to: nil).rename(call.name, to: call.input.name) }
///
/// `Host` carries the verb out: the vault that a command opened, or the agent for one caller.
package struct Verb<Host: Sendable, Input: VerbInput, Output: Sendable>: Sendable {
    package typealias Action = @Sendable (Host, VerbCall<Input>) async throws -> Output

    package let rules: VerbRules
    package let carryOut: Action

    /// - Parameters:
    ///   - endsWithCaller: see `VerbRules`; by default true for GET.
    ///   - answer: by default JSON, or nothing where the output is `NoOutput`.
    ///   - missing: the error for a name that no path can hold.
    package init(
        _ name: String, _ method: VerbRules.Method, _ path: VerbPath, effect: VerbRules.Effect = .none,
        while lock: VerbRules.Lock, callers: VerbRules.Callers = .all, pin: VerbRules.PINSlot = .none,
        endsWithCaller: Bool? = nil, answer: VerbRules.Answer? = nil,
        missing: @escaping @Sendable (_ name: String) -> any Error = { _ in Failure.noSuchName },
        _ carryOut: @escaping Action
    ) {
        rules = VerbRules(
            name: name, method: method, path: path, form: Input.form, effect: effect, lock: lock, callers: callers,
            pin: pin, endsWithCaller: endsWithCaller ?? (method == .get),
            answer: answer ?? (Output.self == NoOutput.self ? .nothing : .json), missing: missing)
        self.carryOut = carryOut
    }

    /// The verb without the types of its input and output.
    package var untyped: UntypedVerb<Host> {
        UntypedVerb(rules: rules) { [carryOut] arguments in
            let input = try Input(arguments)
            return UntypedVerb.Request(input: input) { host, pin in
                try await carryOut(host, VerbCall(name: arguments.name, input: input, pin: pin))
            }
        }
    }
}

/// One request for a verb.
package struct VerbCall<Input: VerbInput>: Sendable {
    /// The name in the path; empty where the path has none.
    package let name: String
    package let input: Input
    /// The PIN that came along, which never passes through JSON.
    package let pin: EnteredPIN?

    package init(name: String = "", input: Input, pin: EnteredPIN? = nil) {
        self.name = name
        self.input = input
        self.pin = pin
    }

    /// The PIN, for a verb that only our own command calls, which asks the person itself. Throws a failure of kind `locked` without it.
    package func demandPIN() throws -> EnteredPIN {
        guard let pin else { throw Failure.needsUnlock }
        return pin
    }
}

/// A verb without the types of its input and output, for the agent's table.
package struct UntypedVerb<Host: Sendable>: Sendable {
    /// A request whose input was read.
    package struct Request: Sendable {
        package let input: any VerbInput
        package let carryOut: @Sendable (Host, EnteredPIN?) async throws -> any Sendable
    }

    package let rules: VerbRules
    /// Parses the input. Throws a usage failure.
    package let read: @Sendable (VerbArguments) throws -> Request
}

extension Failure {
    package static let noSuchName = Failure(.notFound, "nothing can have this name")
}

/// The rules of a verb, without the types of its input and output.
package struct VerbRules: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The possible effect of a request that was sent and got no answer.
    package enum Effect: Sendable {
        /// Nothing that matters: it can be asked again.
        case none
        /// It may have been carried out.
        case change
        /// The bank may have the decision. A request of this kind is not cut short once it has left.
        case decision
    }

    /// The states of the agent's lock in which a verb is allowed.
    package enum Lock: Sendable {
        case any
        /// Only while content may be shown.
        case open
        /// Only while sessions are at hand: longer than content may be shown.
        case atHand
    }

    /// The programs of this user that may ask. Web pages never may.
    package enum Callers: Sendable {
        case all
        /// Only our own command line tool.
        case ownProgram
    }

    /// The place for a PIN: the bytes of the body, which never pass through JSON. Only our own program may fill it.
    package enum PINSlot: Sendable {
        case none
        /// Without a PIN the agent asks for it, which the caller must allow.
        case needed
        /// It may turn out that no PIN is needed.
        case ifNeeded
    }

    package enum Answer: Sendable {
        /// No body.
        case nothing
        case json
        /// JSON, or one JSON value a line for a caller that accepts lines.
        case lines
        /// A stream of events, until the caller leaves.
        case events
    }

    /// Its name in the OpenAPI file (`operationId`).
    package let name: String
    package let method: Method
    package let path: VerbPath
    package let form: VerbForm
    package let effect: Effect
    package let lock: Lock
    package let callers: Callers
    package let pin: PINSlot
    /// Whether it is cancelled when its caller leaves; else it runs to its end.
    package let endsWithCaller: Bool
    package let answer: Answer
    /// The error for a name that no path can hold.
    package let missing: @Sendable (_ name: String) -> any Error
}
