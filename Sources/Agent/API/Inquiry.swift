internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import SCA

/// One request, as far as it has been understood: who asks, for which route, with which parameters.
struct Inquiry: Sendable {
    /// Of a JSON body, in bytes.
    static let largestBody = 64 * 1024

    let agent: any AgentServing
    let request: Request
    let caller: CallerContext
    /// Of the caller's connection.
    let presence: Presence
    /// Out of the path, decoded.
    let parameters: [String: String]
    /// Decoded; only names that the route knows, each once.
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

    /// The body as JSON. Throws a usage failure when it is something else.
    func body<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        let buffer: ByteBuffer
        do {
            buffer = try await request.body.collect(upTo: Self.largestBody)
        } catch is NIOTooManyBytesError {
            throw Refusal.tooLarge
        }
        do {
            return try JSONForm.decode(type, from: Array(buffer.readableBytesView))
        } catch {
            throw Failure.usage("the body is not the JSON that this takes")
        }
    }

    /// The PIN that came along, nil where the agent shall ask for it. Only our own program may bring one, and where questions
    /// are forbidden it must.
    func pin() async throws -> (any Secret)? {
        let pin = try await PINBody.read(request)
        if pin != nil, !caller.isOwnProgram { throw Refusal.foreignPIN }
        if pin == nil, !caller.mayAsk { throw Failure.needsUnlock }
        return pin
    }

    /// Where the PIN comes from that came along.
    func pinSource() throws -> PINSource {
        switch request.headers[.pinSource] {
        case nil, "person": .person
        case "file": .file
        default: throw Failure.usage("\(HTTPField.Name.pinSource.rawName) is neither person nor file")
        }
    }
}

/// What is answered.
enum Reply: Sendable {
    case json(any Encodable & Sendable)
    /// Done, and nothing to say.
    case done
    case events(AsyncThrowingStream<Event, any Error>)
}
