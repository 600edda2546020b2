package import Approvals
package import Basics

/// The questions before an instant action is claimed, in their order: for which connection, and whether it is right.
///
/// A link that is itself the request is claimed without a question: its card follows, and a `DecisionDialogue`.
package struct ActionDialogue: Sendable {
    package enum Next: Sendable, Equatable {
        case ask(Ask)
        /// Claim it for this connection.
        case claim(ConnectionPayload)
        case end(Failure)
    }

    /// The next step once it is claimed.
    package enum Sequel: Sendable, Equatable {
        /// Nothing is left to decide, so the page may be opened again that showed the code.
        case settled
        /// The bank sends a request, which the answer names.
        case announced
        /// Show the card of this request, and decide it.
        case decide(String)
        /// The agent has it in its list, and tells the person.
        case listed
        case end(Failure)
    }

    private let isRequest: Bool
    private let isAgreed: Bool
    private let audience: Audience
    private let candidates: [ConnectionPayload]
    private var chosen: ConnectionPayload?
    private var isAgain = false
    private var isOpen = false
    private var agreement: Agreement?
    private var failure: Failure?

    /// - Parameters:
    ///   - candidates: the active connections that it can be claimed for.
    ///   - name: the connection that the person named.
    ///   - known: the names of all connections.
    ///   - isRequest: whether the link is itself the request.
    ///   - isAgreed: whether an option says that the connection is right.
    package init(
        among candidates: [ConnectionPayload], named name: String?, known: [String], isRequest: Bool,
        isAgreed: Bool = false, before audience: Audience
    ) {
        self.candidates = candidates
        self.isRequest = isRequest
        self.isAgreed = isAgreed
        self.audience = audience
        if let name {
            chosen = candidates.first { $0.name == name }
            guard chosen == nil else { return }
            failure =
                known.contains(name)
                ? Failure(
                    .notFound, "this action is not for the connection \"\(name)\"", hint: "countersign connections")
                : Failure(LookupError(noConnection: name, among: known))
        } else if candidates.isEmpty {
            failure = Failure(
                .notFound, "no active connection is with the bank of this action",
                hint: known.isEmpty ? "connect its bank first: countersign enroll" : "countersign connections")
        } else if candidates.count == 1 {
            chosen = candidates[0]
        } else if audience != .person(typesWords: true) {
            failure = Failure(
                .ambiguous, "several connections are with the bank of this action",
                hint: "add --connection with one of: \(candidates.map(\.name).joined(separator: ", "))")
        }
    }

    /// Takes the answer to the question that is open, and returns the next step.
    package mutating func next(_ answer: Answer? = nil) -> Next {
        if isOpen, chosen == nil { choose(answer ?? .no) }
        isOpen = true
        if let failure { return .end(failure) }
        guard let chosen else { return .ask(.connection(candidates, isAgain: isAgain)) }
        guard !isRequest else { return .claim(chosen) }
        let isFirst = agreement == nil
        var agreement = self.agreement ?? Agreement(.claim(for: chosen), isGiven: isAgreed, before: audience)
        let next = agreement.next(isFirst ? nil : answer)
        self.agreement = agreement
        return switch next {
        case .ask(let ask): .ask(ask)
        case .agreed: .claim(chosen)
        case .end(let failure): .end(failure)
        }
    }

    /// By number or name.
    private mutating func choose(_ answer: Answer) {
        guard case .typed(let text) = answer, !text.isEmpty else {
            failure = failure ?? .cancelled
            return
        }
        let number = Int(text).flatMap { (1...candidates.count).contains($0) ? candidates[$0 - 1] : nil }
        chosen = candidates.first { $0.name == text } ?? number
        isAgain = true
    }

    /// - Parameters:
    ///   - showsCard: whether this front end can show a card and take the PIN after it.
    ///   - hasAgent: whether an open agent keeps the claimed request.
    package func sequel(_ claimed: ActionPayload, showsCard: Bool, hasAgent: Bool) -> Sequel {
        let reference = claimed.action.authorization
        guard isRequest else { return reference == nil ? .settled : .announced }
        guard let reference else { return .end(.gone) }
        if showsCard { return .decide(reference) }
        return hasAgent ? .listed : .end(Self.nowhere)
    }

    private static let nowhere = Failure.usage(
        "no terminal shows the card, and no agent is open to keep it",
        hint: "countersign show LINK prints its fingerprint; then: countersign approve LINK --fingerprint HEX")
}
