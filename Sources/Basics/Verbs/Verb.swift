/// One thing that a front end can ask for, described once.
///
/// A job lists its verbs as values. The command carries a verb out itself, the socket's client sends it, the agent serves
/// it, and a test compares it with the OpenAPI file. All four use this description, so they cannot disagree.
///
///     static let rename = Verb<NewName, OneConnectionPayload>(
///         "rename", .patch, "/connections/{name}", effect: .change, while: .open)
public struct Verb<Input: VerbInput, Output: Codable & Sendable>: Sendable {
    public let rules: VerbRules

    /// - Parameters:
    ///   - endsWithCaller: see `VerbRules`; by default true for GET.
    ///   - answer: by default JSON, or nothing where the output is `NoOutput`.
    public init(
        _ name: String, _ method: VerbRules.Method, _ path: VerbPath, effect: VerbRules.Effect = .none,
        while lock: VerbRules.Lock, callers: VerbRules.Callers = .all, pin: VerbRules.PINSlot = .none,
        endsWithCaller: Bool? = nil, answer: VerbRules.Answer? = nil
    ) {
        rules = VerbRules(
            name: name, method: method, path: path, form: Input.form, effect: effect, lock: lock, callers: callers,
            pin: pin, endsWithCaller: endsWithCaller ?? (method == .get),
            answer: answer ?? (Output.self == NoOutput.self ? .nothing : .json))
    }
}

/// The rules of a verb, without the types of its input and output.
public struct VerbRules: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The possible effect of a request that was sent and got no answer.
    public enum Effect: Sendable {
        /// Nothing that matters: it can be asked again.
        case none
        /// It may have been carried out.
        case change
        /// The bank may have the decision. A request of this kind is not cut short once it has left.
        case decision
    }

    /// The states of the agent's lock in which a verb is allowed.
    public enum Lock: Sendable {
        case any
        /// Only while content may be shown.
        case open
        /// Only while sessions are at hand: longer than content may be shown.
        case atHand
    }

    /// The programs of this user that may ask. Web pages never may.
    public enum Callers: Sendable {
        case all
        /// Only our own command line tool.
        case ownProgram
    }

    /// The place for a PIN: the bytes of the body, which never pass through JSON. Only our own program may fill it.
    public enum PINSlot: Sendable {
        case none
        /// Without a PIN the agent asks for it, which the caller must allow.
        case needed
        /// It may turn out that no PIN is needed.
        case ifNeeded
    }

    public enum Answer: Sendable {
        /// No body.
        case nothing
        case json
        /// JSON, or one JSON value a line for a caller that accepts lines.
        case lines
        /// A stream of events, until the caller leaves.
        case events
    }

    /// Its name in the OpenAPI file (`operationId`).
    public let name: String
    public let method: Method
    public let path: VerbPath
    public let form: VerbForm
    public let effect: Effect
    public let lock: Lock
    public let callers: Callers
    public let pin: PINSlot
    /// Whether it is cancelled when its caller leaves; else it runs to its end.
    public let endsWithCaller: Bool
    public let answer: Answer
}
