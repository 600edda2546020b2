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
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case notSet, alreadySet, wrong, blocked, destroyed, needsPerson, tooShort, tooLong, trivial, clockShifted,
                changed, leftovers
        }
        private var kind: Kind

        /// No PIN is set: there is nothing to open.
        public static let notSet = Code(kind: .notSet)
        public static let alreadySet = Code(kind: .alreadySet)
        /// Wrong PIN, or right PIN with the wrong device secret: one answer for both. `triesLeft` counts what remains.
        public static let wrong = Code(kind: .wrong)
        /// No try was made or counted; `blockedFor` has the seconds.
        public static let blocked = Code(kind: .blocked)
        /// The last try failed: keys, tokens and rows are gone.
        public static let destroyed = Code(kind: .destroyed)
        /// After five failures a PIN from a file is not tried.
        public static let needsPerson = Code(kind: .needsPerson)
        /// A new PIN that is too short, too long or trivial (one digit repeated, a run).
        public static let tooShort = Code(kind: .tooShort)
        public static let tooLong = Code(kind: .tooLong)
        public static let trivial = Code(kind: .trivial)
        /// The process may be shown a false boot or shifted clocks (a time namespace with offsets, a boot id that is not the
        /// kernel's own file), which counts as blocked.
        public static let clockShifted = Code(kind: .clockShifted)
        /// The PIN was changed since the vault was opened, or while this was under way.
        public static let changed = Code(kind: .changed)
        /// The PIN was changed, but something of the old one could not be removed yet. The next PIN that is entered removes
        /// it.
        public static let leftovers = Code(kind: .leftovers)
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
    public struct Code: Hashable, Sendable {
        private enum Kind {
            case noLibrary, noBus, missing, noCollection, locked, dismissed, refused, itemMissing, damaged
        }
        private var kind: Kind

        /// libsecret cannot be loaded.
        public static let noLibrary = Code(kind: .noLibrary)
        /// No session bus that can be reached.
        public static let noBus = Code(kind: .noBus)
        /// Nothing on the session bus owns org.freedesktop.secrets.
        public static let missing = Code(kind: .missing)
        /// It has no default collection, and none was made.
        public static let noCollection = Code(kind: .noCollection)
        /// The collection is locked, or its items may not be read, and prompting is not allowed.
        public static let locked = Code(kind: .locked)
        /// The person dismissed the keyring's prompt.
        public static let dismissed = Code(kind: .dismissed)
        /// It answered with an error, or not in time.
        public static let refused = Code(kind: .refused)
        /// It works, but an item that must be there is not.
        public static let itemMissing = Code(kind: .itemMissing)
        /// An item is there but was changed.
        public static let damaged = Code(kind: .damaged)
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
