package import Basics

/// An undertaking that leads to a page in the browser and back: an enrollment, a reconnect, a login.
///
/// The order: a yes to the hosts, the page, then redirects until one proves good. Any page can send a redirect, so a foreign one never
/// ends the wait. In place of the page, a device flow shows its code.
package struct PageDialogue<Result: Sendable>: Sendable {
    package enum Next: Sendable {
        case ask(Ask)
        /// The person agreed: begin at the other side, which names the page.
        case accept
        case open(WebAddress)
        /// Wait for the next redirect; `notice`: why the last one did not prove good. Its hint is about the end of the undertaking, so it is
        /// left out, except that of a lock, which the person can open meanwhile.
        case wait(notice: Failure?)
        case done(Result)
        case end(any Error)
    }

    /// The result of a step.
    package enum Event: Sendable {
        case answer(Answer)
        /// It goes on at this page.
        case page(WebAddress)
        /// It goes on where the person enters this code.
        case code(DeviceCard)
        case opened
        /// A redirect was judged. Nil for one that belongs to something else.
        case redirect(Failure?)
        /// There will be no further redirect. `hasInput`: whether the person could have typed one.
        case silence(hasInput: Bool)
        case done(Result)

        /// The answer for the sender of the address that was judged.
        package var outcome: RedirectOutcome {
            switch self {
            case .done: .accepted
            case .redirect(let failure?) where failure.kind == .locked: .locked
            case .answer, .page, .code, .opened, .redirect, .silence: .notAccepted
            }
        }
    }

    /// Why it ends without a result.
    struct Ends: Sendable {
        var declined: any Error
        /// No redirect came in time.
        var waitOver: any Error
        /// The input ended without an address.
        var noAddress: any Error
    }

    private enum Phase {
        case asking, accepting, opening, showing, waiting
        case over(Next)
    }

    private var agreement: Agreement
    private let ends: Ends
    private var phase = Phase.asking
    private var last: Failure?

    init(_ question: Question, isGiven: Bool, before audience: Audience, _ ends: Ends) {
        agreement = Agreement(question, isGiven: isGiven, before: audience)
        self.ends = ends
    }

    /// Takes the result of the last step, and returns the next one.
    package mutating func next(_ event: Event? = nil) -> Next {
        switch (phase, event) {
        case (.over(let end), _): return end
        case (.asking, _): return ask(event)
        case (_, .done(let result)?): return end(.done(result))
        case (.accepting, .page(let page)?):
            phase = .opening
            return .open(page)
        case (.accepting, .code(let card)?):
            phase = .showing
            return .ask(.code(card))
        case (.opening, .opened?), (.showing, .answer(.yes)?), (.waiting, .redirect(nil)?):
            phase = .waiting
            return .wait(notice: nil)
        case (.waiting, .redirect(let failure)?):
            last = failure
            return .wait(notice: failure.map { Failure($0.kind, $0.message, hint: $0.kind == .locked ? $0.hint : nil) })
        case (.waiting, .silence(let hasInput)?):
            if let last { return end(.end(last)) }
            return end(.end(hasInput ? ends.waitOver : ends.noAddress))
        case (.showing, .answer?): return end(.end(ends.declined))
        case (.accepting, _), (.opening, _), (.showing, _), (.waiting, _): return end(.end(ends.waitOver))
        }
    }

    private mutating func ask(_ event: Event?) -> Next {
        let answer: Answer? = if case .answer(let answer)? = event { answer } else { nil }
        switch agreement.next(answer) {
        case .ask(let ask): return .ask(ask)
        case .agreed:
            phase = .accepting
            return .accept
        case .end(let failure): return end(.end(failure.kind == .cancelled ? ends.declined : failure))
        }
    }

    private mutating func end(_ end: Next) -> Next {
        phase = .over(end)
        return end
    }
}
