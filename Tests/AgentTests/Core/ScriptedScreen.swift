@testable import Agent
import TestSupport
import Approvals
import Basics
import Pinentry
import Cryptography
import Synchronization

/// A person at a screen, who does what the test says.
final class ScriptedScreen: Asking {
    enum Answer: Sendable {
        case typed(String)
        case yes
        case no
        /// The third button, and Cancel otherwise.
        case other
        case cancel
        /// Leaves the question open until it is taken back.
        case none
        case failure(PinentryError)
    }

    struct Question: Sendable {
        /// Pages of a card and questions with three buttons count as `yesOrNo`.
        enum Kind: Sendable { case pin, yesOrNo, message }
        var kind: Kind
        /// Everything on the screen, line by line.
        var text: String
        var error: String?
        /// The labels of the default button and the third one.
        var (ok, other): (String, String?)
    }

    private struct Script {
        var answers: [Answer] = []
        /// The answers to questions without a scripted one.
        var otherwise: [Question.Kind: Answer] = [:]
    }

    private let script = Mutex(Script())
    let asked = Recorded<Question>()
    /// The questions that were taken back before they were answered.
    let takenBack = Recorded<Question.Kind>()
    /// The environments in which questions were asked for.
    let places = Recorded<[String: String]>()
    let isThere = Mutex(true)
    /// Runs when a question is on the screen.
    let whenAsked = Mutex<@Sendable () -> Void>({})

    var kinds: [Question.Kind] { asked.all.map(\.kind) }

    /// Sets what the person does from now on, question by question.
    func answers(_ answers: Answer...) { script(answers) }
    func script(_ answers: [Answer]) { script.withLock { $0 = Script(answers: answers) } }

    /// Says yes to each page, however many there are, and types this PIN.
    func readsAll(thenTypes pin: String) {
        script.withLock { $0 = Script(otherwise: [.yesOrNo: .yes, .pin: .typed(pin)]) }
    }

    private func answer(_ question: PinentryQuestion, _ kind: Question.Kind) async throws -> Answer {
        let answer = script.withLock { script in
            script.answers.isEmpty ? script.otherwise[kind] ?? .cancel : script.answers.removeFirst()
        }
        let lines =
            [question.headline.description] + question.details.map(\.line)
            + (question.body.map { [$0.block] } ?? [])
        asked.add(
            Question(
                kind: kind, text: lines.joined(separator: "\n"), error: question.error?.line,
                ok: question.ok.description,
                other: question.other?.description))
        whenAsked.withLock { $0 }()
        if case .failure(let error) = answer { throw error }
        guard case .none = answer else { return answer }
        await Door().passes()
        takenBack.add(kind)
        return .cancel
    }

    func askPIN(_ question: PinentryQuestion) async throws -> LockedBytes? {
        guard case .typed(let text) = try await answer(question, .pin) else {
            throw PinentryError.cancelled
        }
        return text.isEmpty ? nil : try MemoryGate.secret(text)
    }

    func show(_ message: PinentryQuestion) async throws { _ = try await answer(message, .message) }

    func askYesOrNo(_ question: PinentryQuestion) async throws -> Bool {
        if case .yes = try await answer(question, .yesOrNo) { true } else { false }
    }

    /// A person who reads all goes on to the end, wherever the button is.
    func choose(_ question: PinentryQuestion) async throws -> PinentryChoice {
        switch try await answer(question, .yesOrNo) {
        case .yes where question.ok.description == "Back": .other
        case .yes: .ok
        case .other: .other
        case .typed, .no, .cancel, .none, .failure: .cancel
        }
    }
}

/// Records what the desktop was told.
final class RecordedAnnouncer: Announcing {
    enum Call: Sendable, Equatable {
        case announce(String, title: String)
        case retract(String)
        case hide(Int)
        case shut(missesRequests: Bool)
        case unhide
        case alarm(String)
        case tell(String, of: String?, why: String)
        case report(String)
    }

    let calls = Recorded<Call>()

    func announce(_ card: Card, as key: String) { calls.add(.announce(key, title: card.title.line)) }
    func retract(_ key: String) { calls.add(.retract(key)) }
    func hide(waiting: Int) { calls.add(.hide(waiting)) }
    func shut(missesRequests: Bool) { calls.add(.shut(missesRequests: missesRequests)) }
    func unhide() { calls.add(.unhide) }
    func alarm(_ reference: String, _ failure: Failure) { calls.add(.alarm(reference)) }
    func tell(_ outcome: ReviewOutcome, of card: Card?) {
        let note = outcome.note(of: nil)
        calls.add(
            .tell(note.headline, of: card?.reference, why: note.content.map(\.line).joined(separator: "; ")))
    }
    func report(_ line: String) { calls.add(.report(line)) }
}
