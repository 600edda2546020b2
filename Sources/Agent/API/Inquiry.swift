internal import Authenticator
internal import Basics
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import LocalSocket
internal import NIOCore

/// One request, parsed: who asks, for which route, with which parameters.
struct Inquiry: Sendable {
    /// The longest JSON body, in bytes.
    static let largestBody = 64 * 1024

    let agent: any AgentServing
    let request: Request
    let caller: CallerContext
    /// The presence of the caller's connection.
    let presence: Presence
    /// The parameters of the path, decoded.
    let parameters: [String: String]
    /// The parameters of the query, decoded: only names that the route knows, each once.
    let query: [String: String]

    /// A parameter of the path, which every path of its route has.
    subscript(_ name: String) -> String { parameters[name] ?? "" }

    func operations() async throws -> any Operations { try await agent.operations(for: caller) }

    /// Throws a usage failure unless it is absent, `true` or `false`.
    func flag(_ name: String) throws -> Bool? {
        switch query[name] {
        case nil: nil
        case "true": true
        case "false": false
        default: throw Failure.usage("\(name) is neither true nor false")
        }
    }

    /// The body as JSON. Throws a usage failure when it is something else, has a member that is not known, or one twice: two
    /// programs could differ on what was asked.
    func body<Value: JSONRequest>(_ type: Value.Type) async throws -> Value {
        let bytes: [UInt8]
        do {
            bytes = Array(try await request.body.collect(upTo: Self.largestBody).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Refusal.tooLarge
        } catch {
            throw Refusal.broken
        }
        guard let value = try? JSONForm.decode(type, from: bytes), let members = try? JSONForm.members(of: bytes) else {
            throw Failure.usage("the body is not the JSON that this takes")
        }
        guard members.names.isSubset(of: type.members) else {
            throw Failure.usage(
                "a member of the body is not known here",
                hint: "known: \(type.members.sorted().joined(separator: ", "))")
        }
        guard members.count == members.names.count else { throw Failure.usage("a member of the body is given twice") }
        return value
    }

    /// Throws a usage failure when there is a body, which is overwritten: it may hold a PIN.
    func demandNoBody() async throws {
        let hasBody: Bool
        do {
            hasBody = try await PINBody.read(request) != nil
        } catch let error as HTTPError where error.status == .contentTooLarge {
            hasBody = true
        }
        if hasBody { throw Failure.usage("no body is taken here") }
    }

    /// The PIN that came along, nil where the agent shall ask for it. Only our own program may bring one, and where questions
    /// are forbidden it must, unless none may be needed.
    func pin(isNeeded: Bool = true) async throws -> (any Secret)? {
        let pin = try await PINBody.read(request)
        if pin != nil, !caller.isOwnProgram { throw Refusal.foreignPIN }
        if pin == nil, isNeeded, !caller.mayAsk { throw Failure.needsUnlock }
        return pin
    }

    /// Where the PIN in the body comes from: a person or a file.
    func pinSource() throws -> PINSource {
        switch request.headers[.pinSource] {
        case nil, "person": .person
        case "file": .file
        default: throw Failure.usage("\(HTTPField.Name.pinSource.rawName) is neither person nor file")
        }
    }
}

/// The type of a JSON body.
protocol JSONRequest: Decodable {
    /// The names of its members, as JSON has them.
    static var members: Set<String> { get }
}

/// The answer to one request.
enum Reply: Sendable {
    case json(any Encodable & Sendable)
    /// What waits, piece by piece, as long as it may be shown.
    case round(PendingRound, asLines: Bool, demandOpen: @Sendable () async throws -> Void)
    /// Done; the answer has no body.
    case done
    case events(AsyncThrowingStream<Event, any Error>)
}
