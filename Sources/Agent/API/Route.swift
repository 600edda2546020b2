internal import Authenticator
internal import Basics
internal import Sessions

/// One verb, and how the agent carries it out.
struct Route: Sendable {
    /// Carries out the request.
    typealias Action = @Sendable () async throws -> Reply

    let rules: VerbRules
    /// Reads the input of a request. Throws a usage failure.
    let read: @Sendable (APIRequest) throws -> Action

    private init(_ rules: VerbRules, read: @escaping @Sendable (APIRequest) throws -> Action) {
        self.rules = rules
        self.read = read
    }

    init<Input, Output>(
        _ verb: Verb<Input, Output>, _ act: @escaping @Sendable (APIRequest, Input) async throws -> Output
    ) {
        self = .replying(verb) { .json(try await act($0, $1)) }
    }

    /// A verb that answers nothing.
    static func doing<Input>(
        _ verb: Verb<Input, NoOutput>, _ act: @escaping @Sendable (APIRequest, Input) async throws -> Void
    ) -> Route {
        replying(verb) { request, input in
            try await act(request, input)
            return .done
        }
    }

    /// A verb whose answer is a stream of events.
    static func streaming<Input>(
        _ verb: Verb<Input, AgentEvent>,
        _ act: @escaping @Sendable (APIRequest, Input) async throws -> AsyncThrowingStream<AgentEvent, any Error>
    ) -> Route {
        replying(verb) { .events(try await act($0, $1)) }
    }

    /// A verb whose answer is not one JSON value.
    static func replying<Input, Output>(
        _ verb: Verb<Input, Output>, _ act: @escaping @Sendable (APIRequest, Input) async throws -> Reply
    ) -> Route {
        Route(verb.rules) { request in
            let input = try Input(request.arguments)
            return { try await act(request, input) }
        }
    }

    /// A verb that needs nothing but the open vault.
    init(_ verb: UntypedVaultVerb, of agent: any ApprovalServing) {
        self.init(verb.rules) { request in
            let action = try verb.read(request.arguments)
            return {
                if let change = verb.change {
                    try await agent.demandYes(to: change(request.arguments.name), for: request.caller)
                }
                let output = try await action(try await agent.operations(for: request.caller))
                return verb.rules.answer == .nothing ? .done : .json(output)
            }
        }
    }

    /// A verb that needs nothing but the sessions at hand. `toOthers`: the answer to a program that is not our own.
    init(
        _ verb: UntypedSessionVerb, of agent: any SessionServing,
        toOthers: (@Sendable (CallerContext) async throws -> any Encodable & Sendable)? = nil
    ) {
        self.init(verb.rules) { request in
            let action = try verb.read(request.arguments)
            return {
                if let toOthers, !request.caller.isOwnProgram { return .json(try await toOthers(request.caller)) }
                let output = try await action(try await agent.sessions(for: request.caller))
                await agent.changed()
                return .json(output)
            }
        }
    }
}

/// The answer to one request.
enum Reply: Sendable {
    case json(any Encodable & Sendable)
    /// The authorizations that wait, piece by piece, as long as they may be shown.
    case round(PendingRound)
    /// Done; the answer has no body.
    case done
    case events(AsyncThrowingStream<AgentEvent, any Error>)
}
