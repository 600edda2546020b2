package import Approvals
import Basics
import SessionModel
package import Sessions

/// The steps of a `PageDialogue` at the other side, taken in this process or in the agent. An error of any step ends the undertaking.
package struct PageSteps<Result: Sendable>: Sendable {
    package typealias Event = PageDialogue<Result>.Event

    /// The person agreed. Returns the page, which leads back to this address, or the code.
    package var accept: @Sendable (_ returnURL: String) async throws -> Event
    /// Judges an address that the browser was led to.
    package var take: @Sendable (_ address: String) async throws -> Event
    /// Waits until the code was entered.
    package var awaitCode: @Sendable () async throws -> Result
    /// Waits until somebody else ended it, such as a lock, and throws why. Returns at once where nobody else can.
    package var awaitLoss: @Sendable () async throws -> Void = {}
    /// Ends it unless it has its result, so that nothing is left of it.
    package var abandon: @Sendable () async -> Void
}

extension PageSteps<ConnectionPayload> {
    /// Enrollments lead to a page alone.
    package init(
        accept: @escaping @Sendable (_ returnURL: String) async throws -> EnrollmentNext,
        take: @escaping @Sendable (_ address: String) async throws -> RedirectVerdict,
        abandon: @escaping @Sendable () async -> Void
    ) {
        self.accept = {
            let next = try await accept($0)
            if let connection = next.connection { return .done(connection) }
            guard let page = next.page else { throw EnrollmentError.outOfTurn }
            return .page(page)
        }
        self.take = {
            let verdict = try await take($0)
            return verdict.connection.map { .done($0) } ?? .redirect(verdict.error?.failure)
        }
        awaitCode = { throw EnrollmentError.outOfTurn }
        self.abandon = abandon
    }
}

extension PageSteps<SignedInPayload> {
    /// A login in this process. `patience`: how long the person has to enter a code; nil for a page.
    package init(_ login: LocalLogin, _ offer: LoginOfferPayload, code patience: Duration?) {
        accept = {
            guard let patience else { return .page(try await login.accept(returnURL: $0)) }
            return .code(DeviceCard(try await login.acceptDevice(within: patience), agreed: offer.hosts))
        }
        take = { Event(try await login.take($0)) }
        awaitCode = { try await login.awaitDevice() }
        abandon = { await login.abandon() }
    }

    /// A login that an agent keeps, by the verbs of `AgentVerbs.logins`.
    package init(
        _ offer: LoginOfferPayload, code patience: Duration? = nil,
        accept: @escaping @Sendable (LoginAcceptance) async throws -> LoginNext,
        redirect: @escaping @Sendable (LoginRedirect) async throws -> LoginVerdict,
        wait: @escaping @Sendable (LoginWait) async throws -> LoginVerdict,
        end: @escaping @Sendable () async -> Void
    ) {
        self.accept = {
            let way = patience.map { LoginAcceptance.Way.device(seconds: $0 / .seconds(1)) }
            let next = try await accept(LoginAcceptance(way ?? .browser(returnURL: $0)))
            if let code = next.device { return .code(DeviceCard(code, agreed: offer.hosts)) }
            guard let page = next.page else { throw SessionError.loginEnded }
            return .page(try WebAddress(page))
        }
        take = { Event(try await redirect(LoginRedirect($0)).signedIn) }
        let awaitEnd: @Sendable () async throws -> SignedInPayload = {
            while true {
                let verdict = try await wait(LoginWait(seconds: LoginWait.longest))
                if let signedIn = verdict.signedIn { return signedIn }
                try Task.checkCancellation()
            }
        }
        awaitCode = awaitEnd
        awaitLoss = { _ = try await awaitEnd() }
        abandon = end
    }
}

extension PageDialogue<SignedInPayload>.Event {
    /// Any page can send an address that is not of this login.
    fileprivate init(_ signedIn: SignedInPayload?) { self = signedIn.map { .done($0) } ?? .redirect(nil) }
}
