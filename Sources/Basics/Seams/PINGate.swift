/// What may be known about the PIN without the PIN.
public struct PINStatus: Sendable, Equatable {
    public var isSet: Bool
    /// Counts down to destruction, 9 to 0.
    public var triesLeft: Int
    /// Seconds until the next try is allowed; nil when it is allowed now.
    public var blockedFor: Int?

    public init(isSet: Bool, triesLeft: Int, blockedFor: Int?) {
        self.isSet = isSet
        self.triesLeft = triesLeft
        self.blockedFor = blockedFor
    }
}

/// Where a PIN comes from. A file is never used for tries 6 to 9, so that a stale script cannot destroy keys.
public enum PINSource: Sendable {
    case person, file
}

/// Why the gate stayed shut. Equality is by code alone.
public struct PINError: Error, Sendable, Equatable {
    public enum Code: Sendable {
        /// No PIN is set: there is nothing to open.
        case notSet
        case alreadySet
        /// Wrong PIN, or right PIN with the wrong device secret: one answer for both. `triesLeft` counts what remains.
        case wrong
        /// No try was made or counted; `blockedFor` has the seconds.
        case blocked
        /// The last try failed: keys, tokens and rows are gone.
        case destroyed
        /// After five failures a PIN from a file is not tried.
        case needsPerson
        /// A new PIN that is too short, too long or trivial (one digit repeated, a run).
        case tooShort
        case tooLong
        case trivial
        /// The process may be shown a false boot or shifted clocks (a time namespace with offsets, a boot id that is not the
        /// kernel's own file), which counts as blocked.
        case clockShifted
        /// The PIN was changed since the vault was opened, or while this was under way.
        case changed
        /// The PIN was changed, but something of the old one could not be removed yet. The next PIN that is entered removes
        /// it.
        case leftovers
    }

    public var code: Code
    public var triesLeft: Int?
    public var blockedFor: Int?

    public init(_ code: Code, triesLeft: Int? = nil, blockedFor: Int? = nil) {
        self.code = code
        self.triesLeft = triesLeft
        self.blockedFor = blockedFor
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

/// The gate in front of everything that is sealed (design, "The PIN is cryptography, not a screen").
///
/// Besides `PINError` every call that needs the Secret Service throws `SecretServiceError`, and costs no try then. A PIN is
/// wiped as soon as it was checked, right or wrong, and also when it could not be; a new one as soon as it counts.
public protocol PINGate: Sendable {
    func status() throws -> PINStatus
    /// Makes the vault: device secret, master key, PIN record. Throws `alreadySet` when there is one.
    func set(_ pin: any Secret) throws -> any OpenVault
    /// Counts a try, checks the PIN, opens the vault. The PIN is checked anew each time, also by approvals.
    func open(with pin: any Secret, from source: PINSource) throws -> any OpenVault
    /// Seals the master key under a new PIN and a new device secret, and destroys what the old PIN opened; keys and rows stay
    /// as they are. Cut at any point, one of the two PINs opens. Throws as `open` does, for a poor `new`, and `leftovers`.
    func change(_ old: any Secret, to new: any Secret, from source: PINSource) throws
    /// Destroys this home's keys, tokens and rows: device secret first.
    func reset() throws
}

/// The Secret Service is missing, locked or refused. Nothing was written in clear anywhere. Equality is by code alone.
public struct SecretServiceError: Error, Sendable, Equatable {
    public enum Code: Sendable {
        /// libsecret cannot be loaded.
        case noLibrary
        /// No session bus that can be reached.
        case noBus
        /// Nothing on the session bus owns org.freedesktop.secrets.
        case missing
        /// It has no default collection, and none was made.
        case noCollection
        /// The collection is locked, or its items may not be read, and prompting is not allowed.
        case locked
        /// The person dismissed the keyring's prompt.
        case dismissed
        /// It answered with an error, or not in time.
        case refused
        /// It works, but an item that must be there is not.
        case itemMissing
        /// An item is there but was changed.
        case damaged
    }

    public var code: Code
    /// Our own words, safe to show.
    public var reason: String
    /// Which program it is, where that is known.
    public var keyring = Keyring.other
    /// What it said itself.
    public var said: BankText?

    public init(_ code: Code, _ reason: String, said: BankText? = nil) {
        self.code = code
        self.reason = reason
        self.said = said
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
