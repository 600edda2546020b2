import Basics
package import Pinentry
package import Cryptography

/// Puts a question to the person on a screen, and waits for the answer. If the waiting task is cancelled, the question
/// leaves the screen.
package protocol Asking: Sendable {
    /// Asks for a PIN or a text; nil when nothing was typed. Throws `PinentryError`, also for `cancelled`.
    func askPIN(_ question: PinentryQuestion) async throws -> LockedBytes?
    /// Asks a question that is answered by yes or no; closing it means no. Throws `PinentryError`.
    func askYesOrNo(_ question: PinentryQuestion) async throws -> Bool
    /// Asks a question with three buttons; closing it means cancel. Throws `PinentryError`.
    func choose(_ question: PinentryQuestion) async throws -> PinentryChoice
    /// Shows a message until the person closes it. Throws `PinentryError`.
    func show(_ message: PinentryQuestion) async throws
}

extension Pinentry: Asking {
    package func askPIN(_ question: PinentryQuestion) async throws -> LockedBytes? {
        try await blocking { try pin(question, cancellation: $0) }
    }

    package func askYesOrNo(_ question: PinentryQuestion) async throws -> Bool {
        try await blocking { try confirm(question, cancellation: $0) }
    }

    package func choose(_ question: PinentryQuestion) async throws -> PinentryChoice {
        try await blocking { try choose(question, cancellation: $0) }
    }

    package func show(_ message: PinentryQuestion) async throws {
        try await blocking { try self.message(message, cancellation: $0) }
    }

    private func blocking<Answer: Sendable>(
        _ body: @escaping @Sendable (PinentryCancellation) throws -> Answer
    ) async throws -> Answer {
        let cancellation = PinentryCancellation()
        return try await withTaskCancellationHandler {
            try await Basics.blocking { try body(cancellation) }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
