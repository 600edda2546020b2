public import Basics
public import SCA

/// What a front end can ask for: the one seam between the commands and the use-cases.
///
/// Where an agent runs it is the agent's socket; where none does, the command does the same by itself. What is thrown
/// becomes a `Failure` by `Failure(_:)`. Everything that is answered is safe to show.
public protocol Operations: Sendable {
    /// Carries out a verb that needs nothing but the open vault.
    ///
    /// - Parameter name: what stands in the verb's path; empty where nothing does.
    func perform<Input, Output>(
        _ verb: VaultVerb<Input, Output>, on name: String, _ input: Input
    ) async throws -> Output

    // MARK: Authorizations

    /// Asks the banks of all active connections, or of one.
    func pending(_ connection: String?) async throws -> PendingRound
    /// Approves what the PIN was entered for; `isGivenUp` is asked while the bank's final word is awaited.
    func approve(
        _ request: DecisionRequest, pin: any Secret, from source: PINSource, isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload
    /// Takes the PIN where the card says so (`Card.denialNeedsPIN`); `DecisionError.needsPIN` where it lacks.
    func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource,
        isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload

    // MARK: Enrollment

    /// Begins to connect a bank: nothing is made before `accept`.
    func enroll(_ link: String, name: ConnectionName?) throws -> any EnrollmentSteps
    /// Begins to connect a bank again; by a new link of its own, where it wants one.
    func reconnect(_ name: String, by link: String?) throws -> any EnrollmentSteps

    // MARK: Watching

    /// What waits, as `added`, then what happens, as it is noticed. Ends when its consumer goes away.
    func events() async throws -> AsyncThrowingStream<Event, any Error>
    /// Whether a lock comes by itself when nobody is here, and is told as an event; else the front end sees to it.
    var locksItself: Bool { get }
    /// Somebody is here: a key was pressed.
    func use() async throws
    /// Shuts what the PIN opened.
    func lock() async throws
}

/// What is to be decided, and how.
public struct DecisionRequest: Sendable, Equatable {
    /// `NAME:ID`
    public var ref: String
    /// Of the content that was shown: nothing else is decided.
    public var fingerprint: Fingerprint
    /// Where the person is; else the settings' position for the connection counts.
    public var position: Geolocation?
    /// Whether the bank's final word is awaited.
    public var waits: Bool
    /// Of an approval that is a choice: one of the card's options.
    public var option: String?
    /// Of a denial: why. It is told where the card's bank takes it.
    public var reason: DenialReason?

    public init(
        ref: String, fingerprint: Fingerprint, position: Geolocation?, waits: Bool, option: String? = nil,
        reason: DenialReason? = nil
    ) {
        self.ref = ref
        self.fingerprint = fingerprint
        self.position = position
        self.waits = waits
        self.option = option
        self.reason = reason
    }
}

/// Which decisions are listed.
public struct HistoryRequest: Sendable, Equatable {
    /// Also under earlier names.
    public var connection: String?
    /// Only those from this moment on: ISO 8601.
    public var since: String?
    /// Only the newest.
    public var limit: Int?
    /// Whether a log that is broken is listed all the same, as far as it can be read.
    public var isVerified: Bool
    /// Whether the decrypted plaintext of each comes along.
    public var withSource: Bool

    public init(connection: String?, since: String?, limit: Int?, isVerified: Bool, withSource: Bool = false) {
        self.connection = connection
        self.since = since
        self.limit = limit
        self.isVerified = isVerified
        self.withSource = withSource
    }
}
