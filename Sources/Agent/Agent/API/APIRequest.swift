internal import Approvals
internal import Basics
internal import HTTPTypes
internal import Hummingbird
import Keys
internal import LocalSocket
internal import NIOCore
import Verbs
import AgentWire

/// One request: the program that sends it, and its content.
struct APIRequest: Sendable {
    /// The longest JSON body, in bytes.
    private static let largestBody = 64 * 1024

    let caller: CallerContext
    /// Whether the caller wants a list as one JSON value a line.
    let acceptsLines: Bool
    private(set) var arguments: VerbArguments
    /// The PIN that came along; nil where the agent is to ask for it.
    private(set) var pin: EnteredPIN?

    /// A request whose body was not read yet.
    init(_ head: HTTPRequest, from caller: CallerContext, _ arguments: VerbArguments) {
        self.caller = caller
        self.arguments = arguments
        acceptsLines = head.headerFields[.accept] == PendingRound.lines
    }

    /// Reads the body, and refuses a body that the verb does not take: its sender may mean another request, and its
    /// framing may be broken.
    mutating func readBody(of request: Request, for rules: VerbRules) async throws {
        switch (rules.pin, rules.form) {
        case (.none, .json): arguments.json = try await Self.json(of: request)
        case (.none, _): try await Self.demandNoBody(of: request)
        case (.needed, _), (.ifNeeded, _):
            let secret = try await PINBody.read(request)
            if secret != nil, !caller.isOwnProgram { throw Refusal.foreignPIN }
            if secret == nil, rules.pin == .needed, !caller.mayAsk { throw Failure.needsUnlock }
            let source = try PINSource(header: HTTPField.Name(CallerHeaders.pinSource).flatMap { request.headers[$0] })
            pin = secret.map { .typed($0, from: source) }
        }
    }

    private static func json(of request: Request) async throws -> [UInt8] {
        do {
            return Array(try await request.body.collect(upTo: largestBody).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Refusal.tooLarge
        } catch {
            throw Refusal.broken
        }
    }

    /// Throws a usage failure when there is a body, which is overwritten: it may hold a PIN.
    private static func demandNoBody(of request: Request) async throws {
        let hasBody: Bool
        do {
            hasBody = try await PINBody.read(request) != nil
        } catch let error as HTTPError where error.status == .contentTooLarge {
            hasBody = true
        }
        if hasBody { throw Failure.usage("no body is taken here") }
    }
}
