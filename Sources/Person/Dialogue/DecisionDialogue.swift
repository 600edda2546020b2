package import Approvals
package import Basics
package import FoundationEssentials
package import ApprovalModel

/// The questions before one decision, in their order.
///
///     var dialogue = DecisionDialogue(.approve, on: card, terms, past, before: .person(typesWords: true))
///     var next = dialogue.next()
///     while case .ask(let ask) = next { next = dialogue.next(try await carrier.answer(ask)) }
///
/// The order: can it be decided at all, the card, approved lately, the typed title, the bank's caution, the choice, the yes, the PIN.
package struct DecisionDialogue: Sendable {
    /// The parts of the decision that the caller gave beforehand.
    package struct Terms: Sendable {
        /// Whether the bank gets a position.
        package var hasPosition: Bool
        /// The option that the caller named; nil to ask for it.
        package var option: String?
        /// Whether the caller accepts the caution that a wrong response may block the account. The caution before the last attempt is
        /// asked all the same.
        package var acceptsCaution: Bool
        /// Whether the person agreed to this verdict already.
        package var isAgreed: Bool
        /// Whether the PIN comes from a file, so that no PIN is asked for.
        package var hasPIN: Bool
        /// Whether a single key began it. Then a yes is asked for even where the PIN comes from a file.
        package var isByKey: Bool

        package init(
            hasPosition: Bool = false, option: String? = nil, acceptsCaution: Bool = false, isAgreed: Bool = false,
            hasPIN: Bool = false, isByKey: Bool = false
        ) {
            self.hasPosition = hasPosition
            self.option = option
            self.acceptsCaution = acceptsCaution
            self.isAgreed = isAgreed
            self.hasPIN = hasPIN
            self.isByKey = isByKey
        }
    }

    package enum Next: Sendable, Equatable {
        case ask(Ask)
        /// Every question before the PIN is answered. `pin`: the question for the PIN; nil where the verdict takes none.
        case decide(option: String?, pin: Ask?)
        /// Nothing is to be sent.
        case end(Failure)
    }

    package let verdict: Verdict
    package let card: Card
    private let terms: Terms
    private let audience: Audience
    private var rest: [Ask]
    private var open: Ask?
    private var option: String?
    private var failure: Failure?
    private var wrongOptions = 0

    /// - Parameters:
    ///   - past: earlier decisions on the same or alike content.
    ///   - now: the time by which it may have expired.
    package init(
        _ verdict: Verdict, on card: Card, _ terms: Terms, _ past: DecisionPast, before audience: Audience, at now: Date
    ) {
        self.verdict = verdict
        self.card = card
        self.terms = terms
        self.audience = audience
        option = verdict == .approve ? terms.option : nil
        rest = []
        failure = card.obstacle(to: verdict, hasPosition: terms.hasPosition, at: now).map { Failure($0) }
        guard failure == nil else { return }
        if verdict == .approve { failure = hopeless(past) }
        if audience != .nobody { rest = verdict == .approve ? approving(past) : denying }
    }

    /// Whether a question other than the card comes before the PIN.
    package var asksMore: Bool {
        rest.contains { if case .card = $0 { false } else { true } }
    }

    /// Takes the answer to the question that is open, and returns the next step. A no, or a wrong text, ends the
    /// dialogue.
    package mutating func next(_ answer: Answer? = nil) -> Next {
        if let asked = open { failure = failure ?? judge(answer ?? .no, to: asked) }
        open = nil
        if let failure { return .end(failure) }
        guard rest.isEmpty else {
            let ask = rest.removeFirst()
            open = ask
            return .ask(ask)
        }
        return .decide(option: option, pin: takesPIN ? .pin(choosing: option) : nil)
    }

    /// Whether it ends with the PIN.
    package var takesPIN: Bool { verdict == .approve || card.denialNeedsPIN }

    // MARK: The order

    private func approving(_ past: DecisionPast) -> [Ask] {
        var asks: [Ask] = [.card(isDemanded: true)]
        if past.isRepetition { asks.append(.distinction) }
        if card.needsTypedTitle { asks.append(.title) }
        if let caution = card.caution, !isAccepted(caution) { asks.append(.caution(caution)) }
        if let options = card.options {
            if past.refusals > 0 { asks.append(.anotherChoice) }
            if terms.option == nil { asks.append(.option(options, isAgain: false)) }
        }
        if terms.hasPIN, terms.isByKey { asks.append(.agreement) }
        return asks
    }

    private var denying: [Ask] {
        if card.denialNeedsPIN { return [.card(isDemanded: true)] + (terms.hasPIN ? [.agreement] : []) }
        return terms.isAgreed ? [] : [.card(isDemanded: false), .agreement]
    }

    private func isAccepted(_ caution: Caution) -> Bool { caution == .mayBlock && terms.acceptsCaution }

    // MARK: Ends

    /// Why this approval fails regardless of the answers; nil where it can succeed.
    private func hopeless(_ past: DecisionPast) -> Failure? {
        if audience == .person(typesWords: false), card.needsTypedTitle { return .titleNotTyped(card.reference) }
        if audience == .nobody, let caution = card.caution, !isAccepted(caution) { return Self.unheard(caution) }
        guard let options = card.options else { return nil }
        if options.isEmpty || past.refusals >= Deciding.mostRefusals {
            return Failure.onlyDenial.naming(reference: card.reference)
        }
        if let option = terms.option {
            return options.contains(option)
                ? nil : Failure(DecisionError.noSuchOption).naming(reference: card.reference)
        }
        return audience == .nobody ? Failure.needsOption.naming(reference: card.reference) : nil
    }

    private static func unheard(_ caution: Caution) -> Failure {
        let words = caution.words
        return Failure.usage(
            words.prefix(1).lowercased() + words.dropFirst().dropLast(),
            hint: caution == .lastAttempt ? "approve it on a terminal" : "add --yes when this is right")
    }

    /// Why this answer ends the dialogue; nil if it goes on.
    private mutating func judge(_ answer: Answer, to ask: Ask) -> Failure? {
        return switch (ask, answer) {
        case (.distinction, .typed(let text)):
            card.isDistinction(text)
                ? nil : Failure(.cancelled, "that is not the \(card.distinction); nothing was sent")
        case (.title, .typed(let text)): card.isTitle(text) ? nil : .cancelled
        case (.option(let options, _), .typed(let text)): choose(text, among: options)
        case (.card, .yes), (.caution, .yes), (.anotherChoice, .yes), (.agreement, .yes): nil
        default: .cancelled
        }
    }

    /// Takes the option, or asks again, up to three times.
    private mutating func choose(_ text: String, among options: [String]) -> Failure? {
        if let chosen = card.option(typed: text) {
            option = chosen
            return nil
        }
        wrongOptions += 1
        guard wrongOptions < Self.mostWrongOptions else {
            return Failure.noOptionTyped.naming(reference: card.reference)
        }
        rest.insert(.option(options, isAgain: true), at: 0)
        return nil
    }

    private static let mostWrongOptions = 3
}
