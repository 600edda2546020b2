package import Approvals
package import Sessions
package import Verbs

/// Carries out the verbs that only an agent has, for one caller: a method for each.
package protocol AgentHost: Sendable {
    // MARK: The lock

    func handshake() async throws -> Handshake
    func status() async throws -> StatusPayload
    func unlock(_ call: VerbCall<NoInput>) async throws -> StatusPayload
    func lock() async throws -> StatusPayload
    func use() async throws
    func events(_ request: EventsRequest) async -> AsyncThrowingStream<AgentEvent, any Error>

    // MARK: Enrollments

    func beginEnrollment(_ wanted: NewEnrollment) async throws -> OpenEnrollment
    func accept(_ call: VerbCall<Acceptance>) async throws -> EnrollmentNext
    func redirect(_ call: VerbCall<IncomingAddress>) async throws -> RedirectVerdict
    func endEnrollment(_ id: String) async

    // MARK: Logins

    func beginLogin(_ request: LoginRequest) async throws -> OpenLogin
    func acceptLogin(_ call: VerbCall<LoginAcceptance>) async throws -> LoginNext
    func redirectLogin(_ call: VerbCall<LoginRedirect>) async throws -> LoginVerdict
    func login(_ call: VerbCall<LoginWait>) async throws -> LoginVerdict
    func endLogin(_ id: String) async

    // MARK: Programs that ask for tokens

    func ready(_ request: ReadyRequest) async throws -> ReadyPayload
    func revokeOwn() async throws
    func requests() async throws -> RequestsPayload
    func allow(_ call: VerbCall<AllowOptions>) async throws -> AnsweredRequestPayload
    func refuse(_ id: String) async throws -> AnsweredRequestPayload
}

package typealias AgentVerb<Input: VerbInput, Output: Sendable> = Verb<any AgentHost, Input, Output>
