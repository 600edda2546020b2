import Approvals
import Basics
import Client
import Dialogue
import Sessions

/// Carries the dialogue of one login at a time between the window, the agent and the browser.
@MainActor
final class SigningIn {
    private var run: Task<Void, Never>?
    private var asked: CheckedContinuation<Answer, Never>?
    private var ask: (@MainActor @Sendable (Ask) -> Void)?

    func begin(
        at address: String, by agent: RunningAgent, ask: @escaping @MainActor @Sendable (Ask) -> Void,
        ended: @escaping @MainActor @Sendable (Failure?) -> Void
    ) {
        end()
        self.ask = ask
        run = Task {
            do {
                try await signIn(at: address, by: agent)
                ended(nil)
            } catch {
                ended(Task.isCancelled ? .cancelled : Failure(error))
            }
        }
    }

    func answer(_ answer: Answer) {
        asked?.resume(returning: answer)
        asked = nil
    }

    func end() {
        run?.cancel()
        answer(.no)
        (run, ask) = (nil, nil)
    }

    @concurrent
    private nonisolated func signIn(at address: String, by agent: RunningAgent) async throws {
        let request = LoginRequest(.target(address))
        let (offer, steps) = try await agent.sessions.login(request, patience: .seconds(600))
        let run = PageRun(steps) { [weak self] in
            await self?.answer(to: $0) ?? .no
        } wayBack: {
            try await PageCallback.issuer(
                offer, nil, SilentShow { Browser.open($0) }, minutes: 10, home: AgentSearch.home().path,
                words: .silentSignIn)
        }
        _ = try await run.run(
            PageDialogue(signingIn: offer, isAgreed: false, before: .person(typesWords: true)))
    }

    private func answer(to question: Ask) async -> Answer {
        guard !Task.isCancelled else { return .no }
        return await withCheckedContinuation {
            asked = $0
            ask?(question)
        }
    }
}
