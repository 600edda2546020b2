import CTerminal
import Dialogue
import Sessions
import Synchronization

/// The signals that end a command while its login is under way: first the login is ended, so that the issuer deletes
/// the client registered for it, and then the process. A second signal ends the process at once.
final class LoginSignals: Sendable {
    private struct State {
        var waits = false
        var hasTold = false
        var isEnding = false
        var isOver = false
    }

    private let state = Mutex(State())
    private let watching = Mutex<Task<Void, Never>?>(nil)

    /// The same steps. From the person's yes on, a signal ends them; `letGo` follows when they have their result.
    func ending(_ login: PageSteps<SignedInPayload>) -> PageSteps<SignedInPayload> {
        var steps = login
        steps.accept = {
            self.hold(ending: login)
            return try await login.accept($0)
        }
        steps.take = {
            // A code works only once, so a signal waits for its result.
            self.wait(true)
            let event = try await login.take($0)
            if case .redirect = event { self.wait(false) }
            return event
        }
        steps.abandon = {
            await self.letGoUnlessEnding()
            await login.abandon()
        }
        return steps
    }

    /// Holds the signals back from here on.
    private func hold(ending login: PageSteps<SignedInPayload>) {
        countersign_interrupts_hold(3)
        let task = Task { [weak self] in
            while self?.mayEnd() == false {
                guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
            }
            guard self != nil else { return }
            countersign_interrupts_hold(0)
            await login.abandon()
            // It may have made its session before.
            guard self?.isOver == false else { return }
            countersign_interrupts_deliver()
            // The signal ends the process on another thread.
            try? await Task.sleep(for: .seconds(10))
        }
        watching.withLock { $0 = task }
    }

    /// Whether a signal must wait, since tokens may be on their way.
    private func wait(_ waits: Bool) { state.withLock { $0.waits = waits } }

    private var isOver: Bool { state.withLock(\.isOver) }

    /// The login is over.
    func letGo() {
        state.withLock { $0.isOver = true }
        watching.withLock { $0 }?.cancel()
        countersign_interrupts_hold(0)
    }

    /// The same for a login that failed. Does not return where a signal made it fail.
    private func letGoUnlessEnding() async {
        if state.withLock(\.isEnding) { await watching.withLock { $0 }?.value }
        letGo()
    }

    private func mayEnd() -> Bool {
        state.withLock { state in
            guard countersign_interrupted() != 0, !state.isOver else { return false }
            if state.waits {
                if !state.hasTold { Terminal.say("finishing the login; interrupt again to end it at once") }
                state.hasTold = true
                return false
            }
            state.isEnding = true
            return true
        }
    }
}
