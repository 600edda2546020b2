@testable import Agent
import Basics
import Keys
import Sessions
import Verbs

/// The verbs of sessions, as one caller asks for them.
extension SessionWing {
    @discardableResult
    nonisolated func perform<Input, Output>(
        _ verb: SessionVerb<Input, Output>, on name: String = "", _ input: Input, pin: EnteredPIN? = nil,
        for caller: CallerContext = AgentFixture.person
    ) async throws -> Output {
        try await verb.carryOut(
            SessionCaller(wing: self, caller: caller), VerbCall(name: name, input: input, pin: pin))
    }

    nonisolated func perform<Output>(_ verb: SessionVerb<NoInput, Output>, on name: String = "") async throws -> Output
    {
        try await perform(verb, on: name, NoInput())
    }

    nonisolated func history(
        _ request: SessionHistoryRequest, for caller: CallerContext
    ) async throws -> SessionHistoryPayload { try await perform(SessionVerbs.history, request, for: caller) }

    nonisolated func allow(
        _ options: GrantOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneGrantPayload {
        try await perform(SessionVerbs.allowProgram, options, pin: .typed(pin, from: source), for: caller)
    }

    nonisolated func addSite(
        _ new: NewSite, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneSitePayload {
        try await perform(SiteVerbs.add, new, pin: .typed(pin, from: source), for: caller)
    }

    nonisolated func setSignOut(
        of name: String, _ options: SignOutChange, pin: (any Secret)?, from source: PINSource,
        for caller: CallerContext
    ) async throws -> OneSessionPayload {
        let pin = pin.map { EnteredPIN.typed($0, from: source) }
        return try await perform(SessionVerbs.setSignOut, on: name, options, pin: pin, for: caller)
    }

    nonisolated func signOut(
        _ name: String, _ options: SignOutOptions, for caller: CallerContext
    ) async throws -> EndedSessionPayload {
        try await perform(SessionVerbs.signOut, on: name, options, for: caller)
    }
}
