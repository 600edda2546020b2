import Authenticator
import Basics
import Display
import Pinentry
import SCACrypto

/// Questions that the agent asks by itself: for front ends that may not see the PIN, and for notifications.
extension AgentCore {
    /// Who asks the person for this caller. Throws where nobody can, naming the command that asks on a terminal.
    func asker(for caller: CallerContext, orElse command: String) async throws -> any Asking {
        guard caller.mayAsk, let asker = await parts.asker(caller.prompt.environment, caller.prompt.tty) else {
            throw Failure(.locked, "the PIN is needed, and there is nowhere to ask for it", hint: command)
        }
        return asker
    }

    /// Throws where no question may begin. One at a time: nobody can tell which of two windows he answers.
    func demandNoQuestion(for caller: CallerContext) throws {
        guard !isEnding, !caller.hasLeft else { throw Failure.cancelled }
        guard takeBack == nil else {
            throw Failure(.locked, "another question is being asked", hint: "answer it first")
        }
    }

    /// Asks one question. It leaves the screen when nobody waits for it any more, and does not come where nobody does.
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
        } catch let error as PinentryError {
            if error.code == .cancelled { throw Failure.cancelled }
            throw Failure(.locked, error.reason, hint: "countersign unlock")
        }
    }

    /// Asks for the PIN, at most thrice while it is wrong, and hands it to `use`. Throws a failure of kind `cancelled` when
    /// none is typed.
    func askForPIN<Result: Sendable>(
        _ question: PinentryQuestion, _ caller: CallerContext,
        by ask: @AgentActor (PinentryQuestion) async throws -> LockedBytes?,
        use: @AgentActor (LockedBytes) async throws -> Result
    ) async throws -> Result {
        var question = question
        for attempt in 1... {
            if let warning = try parts.gate.status().warning() { question.error = DisplayText(warning) }
            guard let pin = try await ask(question) else { throw Failure.cancelled }
            // The caller may have left while the PIN was typed; then nobody waits for the result.
            guard !caller.hasLeft else { throw Failure.cancelled }
            do {
                return try await use(pin)
            } catch {
                let failure = Failure(error)
                guard failure.mayTryAgain, attempt < 3 else { throw failure }
                question.error = DisplayText(failure.message)
            }
        }
        throw Failure.cancelled
    }
}
