public import Basics
public import SCA

/// The requests that a front end can make: the only seam between the commands and the use-cases.
///
/// The calls go to the agent's socket if an agent runs; otherwise the command carries them out itself. `Failure(_:)`
/// turns their errors into a `Failure`. Every answer is safe to show.
public protocol Operations: Sendable {
    /// Carries out a verb that needs only the open vault.
    ///
    /// - Parameter name: fills the placeholder in the verb's path; empty if it has none.
    func perform<Input, Output>(
        _ verb: VaultVerb<Input, Output>, on name: String, _ input: Input
    ) async throws -> Output

    // MARK: Authorizations

    /// Asks the banks of all active connections, or of one.
    func pending(_ connection: String?) async throws -> PendingRound
    /// Approves the content that the PIN was entered for. `isGivenUp` is checked while it waits for the bank's final
    /// answer.
    func approve(
        _ request: DecisionRequest, pin: any Secret, from source: PINSource, isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload
    /// Denies. Takes the PIN if the card says so (`Card.denialNeedsPIN`), and throws `DecisionError.needsPIN` without
    /// it.
    func deny(
        _ request: DecisionRequest, pin: (any Secret)?, from source: PINSource,
        isGivenUp: @escaping @Sendable () -> Bool
    ) async throws -> DecisionPayload

    // MARK: Enrollment

    /// Begins to connect a bank. Nothing is made before `accept`.
    func enroll(_ link: String, name: ConnectionName?) throws -> any EnrollmentSteps
    /// Begins to connect a bank again, with a new link if the bank wants one.
    func reconnect(_ name: String, by link: String?) throws -> any EnrollmentSteps

    // MARK: Watching

    /// Streams the waiting requests, as `added`, and then each change. Ends when nobody reads it any more.
    func events() async throws -> AsyncThrowingStream<Event, any Error>
    /// Whether the vault locks by itself when idle, and sends an event for it. If not, the front end must lock.
    var locksItself: Bool { get }
    /// The person is here: a key was pressed.
    func use() async throws
    /// Closes the vault that the PIN opened.
    func lock() async throws
}

/// A decision that the person asks for.
public struct DecisionRequest: Sendable, Equatable {
    /// The whole reference, `NAME:ID`.
    public var ref: String
    /// The fingerprint of the shown content; no other content is decided.
    public var fingerprint: Fingerprint
    /// The person's position; nil for the connection's position in the settings.
    public var position: Geolocation?
    /// Whether to wait for the bank's final answer.
    public var waits: Bool
    /// For an approval that is a choice: one of the card's options.
    public var option: String?
    /// For a denial: why. It is sent if the bank accepts it.
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

/// Which decisions to list.
public struct HistoryRequest: Sendable, Equatable {
    /// The name of a connection, whose decisions under earlier names are listed too; nil for all.
    public var connection: String?
    /// The earliest time to list.
    public var since: Timestamp?
    /// How many of the newest to list.
    public var limit: Int?
    /// Whether to list a broken log as far as it can be read.
    public var isVerified: Bool
    /// Whether to include each decrypted plaintext.
    public var withSource: Bool

    public init(connection: String?, since: Timestamp?, limit: Int?, isVerified: Bool, withSource: Bool = false) {
        self.connection = connection
        self.since = since
        self.limit = limit
        self.isVerified = isVerified
        self.withSource = withSource
    }
}
