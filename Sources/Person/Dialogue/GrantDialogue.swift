package import Basics
package import Sessions

/// The questions before a program may have tokens, in their order: which session, the whole card, also when nobody is here, the PIN.
///
/// A terminal has the session and the time as options, so it asks only for the PIN. A window asks for each.
package struct GrantDialogue: Sendable {
    package enum Next: Sendable, Equatable {
        case ask(Ask)
        /// Every question before the PIN is answered.
        case prove(Granted)
        /// The person refuses the program.
        case refuse
        /// Nothing is granted, for this reason.
        case end(Failure)
    }

    /// The grant that the PIN allows.
    package struct Granted: Sendable, Equatable {
        package let card: GrantCard
        /// Nil where the grant has it already, as `life`.
        package let session: String?
        package let life: AllowOptions?
    }

    private let request: RequestPayload?
    private var choices: [RequestPayload.Choice]
    private var chosen: (session: String?, card: GrantCard)?
    private var life: AllowOptions?
    private var open: Ask?
    private var isRead = false
    private var end: Next?
    private let asksLife: Bool

    /// Nobody looks through more windows for a session.
    private static let mostOffered = 5

    /// - Parameters:
    ///   - session: the session that the person named.
    ///   - life: when and for how long the person allows it; nil to ask for the time.
    package init(
        _ request: RequestPayload, of session: String? = nil, for life: AllowOptions? = nil, before audience: Audience
    ) {
        self.request = request
        self.life = life
        asksLife = life == nil
        choices = request.choices
        if audience == .person(typesWords: false), session == nil, (2...Self.mostOffered).contains(choices.count) {
            return
        }
        do {
            choose(try request.choice(of: session))
        } catch {
            end = .end(Failure(error))
        }
    }

    /// A grant whose terms stand, or one use of it: only the card is shown.
    package init(using card: GrantCard) {
        request = nil
        choices = []
        asksLife = false
        chosen = (nil, card)
    }

    /// The command that asks the same on a terminal.
    package var command: String { request.map { "countersign allow \($0.id)" } ?? "countersign grants" }

    /// Takes the answer to the question that is open, and returns the next step.
    package mutating func next(_ answer: Answer? = nil) -> Next {
        if let open { judge(answer ?? .no, to: open) }
        open = nil
        if let end { return end }
        let ask = question
        open = ask
        if let ask { return .ask(ask) }
        guard let chosen else { return .refuse }
        return .prove(Granted(card: chosen.card, session: chosen.session, life: life))
    }

    private var question: Ask? {
        guard let chosen else {
            guard let request, let choice = choices.first else { return nil }
            let place = (number: request.choices.count - choices.count + 1, count: request.choices.count)
            return .yesNo(.session(choice, at: place, for: request))
        }
        guard isRead else { return .grant(chosen.card) }
        return asksLife && life == nil ? .yesNo(.unattended) : nil
    }

    private mutating func judge(_ answer: Answer, to ask: Ask) {
        let isYes = answer == .yes
        switch ask {
        case .grant:
            isRead = isYes
            if !isYes { end = .refuse }
        case .yesNo where chosen == nil:
            if isYes, let choice = choices.first { choose(choice) } else { choices.removeFirst() }
        case .yesNo:
            do { life = try AllowOptions(isYes ? .unlocked : .open) } catch { end = .end(Failure(error)) }
        default: end = .end(.cancelled)
        }
    }

    private mutating func choose(_ choice: RequestPayload.Choice) {
        guard let request else { return }
        chosen = (choice.session, GrantCard(request, choice))
    }
}
