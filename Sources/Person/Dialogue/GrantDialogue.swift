package import Basics
import SessionModel
package import Sessions

/// The questions before the PIN allows something, in their order: which session, the whole card, also when nobody is here, a yes, the PIN.
///
/// A terminal has the session and the time as options, so it asks only for the PIN. A window asks for each. Typing the PIN is a yes;
/// a PIN from a file is none.
package struct GrantDialogue: Sendable {
    package enum Next: Sendable, Equatable {
        case ask(Ask)
        /// Every other question is answered: ask for the PIN.
        case prove(Granted)
        /// The person refuses the program.
        case refuse
        /// Nothing is granted, for this reason.
        case end(Failure)
    }

    package struct Granted: Sendable, Equatable {
        package let act: Granting
        /// Nil where nobody asked for a session.
        package let session: String?
        package let life: AllowOptions?

        /// The terms of a grant, for the session that was chosen.
        package func terms() throws -> AllowOptions {
            var terms = try life ?? AllowOptions()
            terms.session = session.flatMap(SessionName.init)
            return terms
        }
    }

    private let request: RequestPayload?
    private var choices: [RequestPayload.Choice]
    private var chosen: (session: String?, act: Granting)?
    private var life: AllowOptions?
    private var agreement: Agreement?
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

    /// An act whose terms stand: only its card is shown.
    package init(_ act: Granting) {
        request = nil
        choices = []
        asksLife = false
        chosen = (nil, act)
    }

    /// A grant that the person adds. `life`: shown on the card.
    package init(adding card: GrantCard, for life: AllowOptions) { self.init(.tokens(card.lasting(life))) }

    /// A service gets tokens. If it does not say itself which issuer it belongs to, the person vouches for it.
    package init(_ offer: SiteOfferPayload, isAgreed: Bool, hasPIN: Bool, before audience: Audience) {
        self.init(.site(offer.facts))
        guard offer.proof == .person, hasPIN else { return }
        agreement = Agreement(.vouch(for: offer), isGiven: isAgreed, before: audience)
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
        return switch agreement?.next(answer) {
        case .ask(let ask)?: .ask(ask)
        case .end(let failure)?: .end(failure)
        case .agreed?, nil: .prove(Granted(act: chosen.act, session: chosen.session, life: life))
        }
    }

    private var question: Ask? {
        guard let chosen else {
            guard let request, let choice = choices.first else { return nil }
            let place = Place(request.choices.count - choices.count + 1, of: request.choices.count)
            return .yesNo(.session(choice, at: place, for: request))
        }
        guard isRead else { return .grant(chosen.act) }
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
        chosen = (choice.session, .tokens(GrantCard(request, choice).lasting(life)))
    }
}
