import Client
import ArgumentParser
import Approvals
import Basics
import Dialogue
import ApprovalModel

/// The name of a request on the command line: a reference, or a link that is itself the request.
enum RequestName {
    case reference(String)
    case link(GivenLink)
    /// The link comes from standard input, after the PIN if that comes from there too.
    case standardInput

    /// Parses a link before a PIN is asked for. Throws if it cannot be parsed or is of another kind.
    init(_ text: String, _ context: Context) throws {
        guard Self.isLink(text) else {
            self = .reference(text)
            return
        }
        self = text == "-" ? .standardInput : .link(try LinkError.inQuotes { try Self.request(text, context) })
    }

    static func isLink(_ text: String) -> Bool { text == "-" || text.firstRange(of: "://") != nil }

    /// The reference. A link is claimed first, which sends nothing.
    func reference(
        _ context: Context, _ operations: Carrier<any ApprovalHost>, connection: String?, isListed: Bool = false
    ) async throws -> String {
        let link: GivenLink
        switch self {
        case .reference(let ref): return ref
        case .link(let given): link = given
        case .standardInput: link = try Self.request(StandardInput.link(), context)
        }
        let dialogue = try await operations.dialogue(
            claiming: link, named: connection, isRequest: true, before: context.prompts.audience)
        let chosen = try context.prompts.walk(dialogue)
        let request = ClaimRequest(link: link, connection: chosen.name, listed: isListed)
        guard let ref = try await operations.perform(ApprovalVerbs.claim, request).action.authorization else {
            throw Failure.gone
        }
        return ref
    }

    /// Parses a link that is itself a request.
    static func request(_ text: String, _ context: Context) throws -> GivenLink {
        let link = try GivenLink(text, by: context.links)
        guard try link.read(by: context.links).acting().isRequest else {
            throw Failure.usage("this link is an instant action", hint: "countersign act")
        }
        return link
    }
}

extension Context {
    /// The card of the authorization that `ref` names. On a terminal a person may leave out the connection's name and
    /// the end of the id; then the whole reference is printed.
    func card(named ref: String, _ operations: Carrier<any ApprovalHost>, withSource: Bool = false) async throws -> Card
    {
        let options = CardOptions(abbreviated: terminal.isInteractive, withSource: withSource)
        let card = try await operations.perform(ApprovalVerbs.authorization, on: ref, options)
        if Reference(ref)?.connection == nil { Terminal.say("\(ref) stands for \(card.reference)") }
        return card
    }
}

extension LinkError {
    /// Runs `read`, which reads a link that was given as an argument: a shell takes it apart at each `&` that is not in quotes.
    static func inQuotes<R>(_ read: () throws -> R) throws -> R {
        do {
            return try read()
        } catch let error as LinkError where [.notALink, .incomplete, .badEncoding].contains(error.kind) {
            var failure = Failure(error)
            failure.hint = "give the whole link in quotes, or - and pass it on standard input"
            throw failure
        }
    }
}
