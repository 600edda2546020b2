import ArgumentParser
import Authenticator
import Basics
import Display
import SCA

/// Finds the connection that an action's link is for; if there are several, the person chooses.
struct LinkChoice {
    let context: Context
    let operations: any Operations
    /// The connection that the person named.
    let connection: String?

    /// Throws if there is none, or if there are several and nobody can be asked.
    func connection(for link: String) async throws -> ConnectionPayload {
        let candidates = try await operations.candidates(for: link).connections
        if let name = connection {
            if let named = candidates.first(where: { $0.name == name }) { return named }
            let all = try await operations.connections().connections.map(\.name)
            guard all.contains(name) else {
                throw LookupError(noConnection: name, among: all)
            }
            throw Failure(
                .notFound, "this action is not for the connection \"\(name)\"", hint: "countersign connections")
        }
        guard let first = candidates.first else {
            let isNone = try await operations.connections().connections.isEmpty
            throw Failure(
                .notFound, "no active connection is with the bank of this action",
                hint: isNone ? "connect its bank first: countersign enroll" : "countersign connections")
        }
        guard candidates.count > 1 else { return first }
        guard context.terminal.isInteractive else {
            throw Failure(
                .ambiguous, "several connections are with the bank of this action",
                hint: "add --connection with one of: \(candidates.map(\.name).joined(separator: ", "))")
        }
        return try offer(candidates)
    }

    /// Lets the person choose one of several connections, by number or name; asks again after any other answer.
    private func offer(_ candidates: [ConnectionPayload]) throws -> ConnectionPayload {
        Terminal.say("Several connections are with the bank of this action:")
        for (index, connection) in candidates.enumerated() {
            let account = connection.account.map { " · " + DisplayText(answered: $0).line(within: 60) } ?? ""
            let number = "  \(index + 1)"
            let words = "\(connection.name) · \(DisplayText(answered: connection.host).line)\(account)"
            TextLines.of(words, behind: number, labels: number.utf8.count + 2, width: Terminal.columns)
                .forEach { Terminal.say($0) }
        }
        while true {
            let answer = try context.terminal.line("Which one, 1 to \(candidates.count) (empty cancels)? ")
            if answer.isEmpty { throw Failure.cancelled }
            if let named = candidates.first(where: { $0.name == answer }) { return named }
            if let number = Int(answer), (1...candidates.count).contains(number) { return candidates[number - 1] }
            Terminal.say("That is none of them.")
        }
    }
}

/// The name of a request on the command line: a reference, or a link that is itself the request.
enum RequestName {
    case reference(String)
    case link(String)
    /// The link comes from standard input, after the PIN if that comes from there too.
    case standardInput

    init(_ text: String) {
        self = text == "-" ? .standardInput : text.firstRange(of: "://") != nil ? .link(text) : .reference(text)
    }

    var isLink: Bool {
        if case .reference = self { return false }
        return true
    }

    /// Throws if a link cannot be parsed or is of another kind, before a PIN is asked for.
    func check(_ context: Context) throws {
        guard case .link(let text) = self else { return }
        try LinkError.inQuotes { try Self.demandRequest(text, context) }
    }

    /// The reference. A link is claimed first, which sends nothing.
    func reference(
        _ context: Context, _ operations: any Operations, connection: String?, isListed: Bool = false
    ) async throws -> String {
        let link: String
        switch self {
        case .reference(let ref): return ref
        case .link(let text):
            link = text
            try Self.demandRequest(link, context)
        case .standardInput:
            link = StandardInput.link()
            try Self.demandRequest(link, context)
        }
        let choice = LinkChoice(context: context, operations: operations, connection: connection)
        let chosen = try await choice.connection(for: link)
        guard let ref = try await operations.claim(link, for: chosen.name, isListed: isListed).action.authorization
        else {
            throw Failure.gone
        }
        return ref
    }

    private static func demandRequest(_ link: String, _ context: Context) throws {
        guard try context.links.action(link).isRequest else {
            throw Failure.usage("this link is an instant action", hint: "countersign act")
        }
    }
}

extension Context {
    /// The card of the authorization that `ref` names. On a terminal a person may leave out the connection's name and
    /// the end of the id; then the whole reference is printed.
    func card(named ref: String, _ operations: any Operations, withSource: Bool = false) async throws -> Card {
        let card = try await operations.card(ref, abbreviated: terminal.isInteractive, withSource: withSource)
        if Reference(ref)?.connection == nil { Terminal.say("\(ref) stands for \(card.reference)") }
        return card
    }
}

extension LinkError {
    /// Runs `read`, which reads a link that was given as an argument: a shell takes it apart at each `&` that is not in quotes.
    static func inQuotes<R>(_ read: () throws -> R) throws -> R {
        do {
            return try read()
        } catch let error as LinkError where [.notALink, .incomplete, .badEncoding].contains(error.code) {
            var failure = Failure(error)
            failure.hint = "give the whole link in quotes, or - and pass it on standard input"
            throw failure
        }
    }
}
