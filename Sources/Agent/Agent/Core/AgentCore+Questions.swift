import Basics
import Display
import Pinentry
import Cryptography
import Keys

/// Questions that the agent asks by itself: for front ends that may not see the PIN, and for notifications.
extension AgentCore {
    /// Returns the prompter for this caller. Throws a failure of kind `locked` when nobody can be asked; its hint is
    /// `command`, which asks on a terminal.
    func asker(for caller: CallerContext, orElse command: String) async throws -> any Asking {
        guard caller.mayAsk, let asker = await dependencies.asker(caller.prompt.environment, caller.prompt.tty) else {
            throw Failure(.locked, "the PIN is needed, and there is nowhere to ask for it", hint: command)
        }
        return asker
    }

    /// Throws if a question may not begin now. Only one question is asked at a time: with two windows on the screen,
    /// people cannot know which one they answer.
    func demandNoQuestion(for caller: CallerContext) throws {
        guard !isEnding, !caller.hasLeft else { throw Failure.cancelled }
        guard takeBack == nil else {
            throw Failure(.locked, "another question is being asked", hint: "answer it first")
        }
    }

    /// Asks one question. If the waiting task is cancelled, the question leaves the screen; if the caller has already
    /// left, it is not asked at all.
    func asking<Answer: Sendable>(
        _ caller: CallerContext, _ ask: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try demandNoQuestion(for: caller)
        let question = Task { try await ask() }
        takeBack = { question.cancel() }
        defer { takeBack = nil }
        do {
            return try await withTaskCancellationHandler {
                try await question.value
            } onCancel: {
                question.cancel()
            }
        } catch PinentryError.cancelled {
            throw Failure.cancelled
        } catch let error as PinentryError {
            throw Failure(.locked, error.reason, hint: "countersign unlock")
        }
    }

    /// Asks for the PIN, again while it is wrong (`PINTries`), and hands it to `use`. Throws a failure of kind `cancelled`
    /// when no PIN is typed.
    func askForPIN<Result: Sendable>(
        _ question: PinentryQuestion, _ caller: CallerContext,
        by ask: @AgentActor (PinentryQuestion) async throws -> LockedBytes?,
        use: @AgentActor (LockedBytes) async throws -> Result
    ) async throws -> Result {
        var (question, tries) = (question, PINTries())
        while true {
            if let warning = try dependencies.gate.status().warning() { question.error = DisplayText(warning) }
            guard let pin = try await ask(question) else { throw Failure.cancelled }
            // The caller may have left while the PIN was typed; then nobody needs the result.
            guard !caller.hasLeft else { throw Failure.cancelled }
            do {
                return try await use(pin)
            } catch {
                let failure = Failure(error)
                guard tries.mayAskAgain(after: failure) else { throw failure }
                question.error = DisplayText(failure.message)
            }
        }
    }
}
