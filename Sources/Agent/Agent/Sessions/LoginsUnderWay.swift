import Basics
import SessionModel
import Sessions

/// Logins that were begun here. They outlive the hiding of banks' requests, because a person may be on an issuer's page for longer than
/// that, and end when sessions are no longer at hand.
@AgentActor
final class LoginsUnderWay {
    enum Event: Sendable {
        /// A login that a person began is over. Until now it counted as use.
        case personIsDone
        /// A login may have made its session: its outcome is not known to the person yet.
        case waitedFor
        /// A login has made its session.
        case signedIn
    }

    private struct LoginUnderWay {
        let steps: any LoginSteps
        let permit: LoginPermit
        /// Whether sessions stay at hand while it waits: a person began it.
        let isUse: Bool
        /// Waits until the person has entered the code of a device flow.
        var device: Task<Void, Never>?
        /// The result of the device flow.
        var outcome: Result<SignedInPayload, any Error>?
        /// Ends the wait of the caller that asks for the outcome.
        var waiter: AsyncStream<Never>.Continuation?
    }

    nonisolated static let most = 4

    private let clock: Clock
    private let makeID: @Sendable () throws -> String
    private let hear: @AgentActor (Event) -> Void
    private var logins: [String: LoginUnderWay] = [:]

    /// `makeID`: makes eight random hexadecimal digits. `hear`: called in the step in which the event happens.
    init(_ clock: Clock, makeID: @escaping @Sendable () throws -> String, hear: @escaping @AgentActor (Event) -> Void) {
        self.clock = clock
        self.makeID = makeID
        self.hear = hear
    }

    var count: Int { logins.count }
    /// Whether a person is at an issuer's page, which counts as use.
    var isPersonSigningIn: Bool { logins.values.contains(where: \.isUse) }
    /// Whether a caller waits for the outcome of this login.
    func isAwaited(_ id: String) -> Bool { logins[id]?.waiter != nil }

    func begin(byPerson isUse: Bool, _ make: (LoginPermit) throws -> any LoginSteps) async throws -> OpenLogin {
        guard logins.count < Self.most else { throw SessionError.tooManyLogins }
        let (id, permit) = (try makeID(), LoginPermit())
        let steps = try make(permit)
        logins[id] = LoginUnderWay(steps: steps, permit: permit, isUse: isUse)
        do {
            let offer = try await steps.begin()
            guard logins[id] != nil else { throw SessionError.notAtHand }
            return OpenLogin(id: id, offer: offer)
        } catch {
            await end(id)
            throw error
        }
    }

    func accept(_ id: String, _ acceptance: LoginAcceptance) async throws -> LoginNext {
        let steps = try login(id).steps
        do {
            let next: LoginNext
            switch acceptance.way {
            case .browser(let returnURL): next = LoginNext(page: try await steps.accept(returnURL: returnURL))
            case .device(let seconds):
                next = LoginNext(device: try await steps.acceptDevice(within: .seconds(seconds)))
                logins[id]?.device = Task { await self.awaitDevice(id, steps) }
            }
            // A lock may have come meanwhile.
            guard logins[id] != nil else { throw SessionError.loginEnded }
            return next
        } catch {
            // Also for a login that was ended before this program was registered for it.
            await end(id)
            await steps.abandon()
            throw error
        }
    }

    func redirect(_ id: String, _ address: String) async throws -> LoginVerdict {
        let steps = try login(id).steps
        do {
            let signedIn = try await steps.take(address)
            if signedIn != nil { finished(id) }
            return LoginVerdict(signedIn)
        } catch {
            await end(id)
            await steps.abandon()
            throw error
        }
    }

    /// Returns when the outcome of a device flow is known, when the login was ended, when the time is over, and when its task is cancelled.
    func awaitOutcome(of id: String, _ seconds: Int64) async throws {
        guard try login(id).outcome == nil, seconds > 0 else { return }
        let (stream, end) = AsyncStream<Never>.makeStream()
        logins[id]?.waiter?.finish()
        logins[id]?.waiter = end
        let timer = Task { [clock] in
            try? await clock.sleep(for: .seconds(seconds))
            end.finish()
        }
        for await _ in stream {}
        timer.cancel()
    }

    /// The outcome of a device flow, as far as it is known. Throws the error that ended it.
    func verdict(on id: String) async throws -> LoginVerdict {
        switch try login(id).outcome {
        case nil: return LoginVerdict(nil)
        case .success(let signedIn):
            finished(id)
            return LoginVerdict(signedIn)
        case .failure(let error):
            await end(id)
            throw error
        }
    }

    func end(_ id: String) async { await forget(id)?.steps.abandon() }

    /// Ends all logins: from here on they store nothing.
    func endAll() {
        let ended = logins.keys.compactMap { forget($0) }
        if !ended.isEmpty { Task { for login in ended { await login.steps.abandon() } } }
    }

    private func login(_ id: String) throws -> LoginUnderWay {
        guard let login = logins[id] else { throw SessionError.loginEnded }
        return login
    }

    @discardableResult
    private func forget(_ id: String) -> LoginUnderWay? {
        guard let login = logins.removeValue(forKey: id) else { return nil }
        if login.isUse { hear(.personIsDone) }
        login.permit.withdraw()
        login.device?.cancel()
        login.waiter?.finish()
        return login
    }

    private func finished(_ id: String) {
        forget(id)
        hear(.signedIn)
    }

    private func awaitDevice(_ id: String, _ steps: any LoginSteps) async {
        let outcome: Result<SignedInPayload, any Error>
        do {
            outcome = .success(try await steps.awaitDevice())
        } catch {
            // In a task of its own, since this one may be cancelled, and then the issuer could not be called. The end of the login
            // abandons the steps, too, but perhaps while they hold the registration that they were making a session of.
            await Task { await steps.abandon() }.value
            outcome = .failure(error)
        }
        logins[id]?.outcome = outcome
        hear(.waitedFor)
        logins[id]?.waiter?.finish()
    }
}
