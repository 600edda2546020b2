internal import Basics
import Verbs

/// One verb, and how the agent carries it out.
struct Route: Sendable {
    /// A request whose input was read.
    struct Request: Sendable {
        let input: any VerbInput
        /// Carries it out. The type of the answer decides its form (`AgentAPI.response`).
        let act: @Sendable () async throws -> any Sendable
    }

    let rules: VerbRules
    /// Reads the input of a request. Throws a usage failure.
    let read: @Sendable (APIRequest) throws -> Request
}

extension Route {
    /// `host`: carries verbs out for this caller.
    init<Host>(_ verb: UntypedVerb<Host>, _ host: @escaping @Sendable (CallerContext) -> Host) {
        self.init(rules: verb.rules) { request in
            let parsed = try verb.read(request.arguments)
            return Request(input: parsed.input) { try await parsed.carryOut(host(request.caller), request.pin) }
        }
    }
}

/// The answer of a verb to a program that is not our own, where its form is not that of our own program's answer.
struct OtherAnswer: Error {
    let answer: any Sendable
}
