package import Basics

/// The state of the PIN, as known without entering it.
package struct PINStatus: Sendable, Equatable {
    /// Whether there is a vault to open.
    package var isSet: Bool
    /// Counts down to destruction, 9 to 0.
    package var triesLeft: Int
    /// Seconds until the next try is allowed; nil when it is allowed now.
    package var blockedFor: Int?

    package init(isSet: Bool, triesLeft: Int, blockedFor: Int?) {
        self.isSet = isSet
        self.triesLeft = triesLeft
        self.blockedFor = blockedFor
    }
}

/// Where a PIN comes from. A PIN from a file is refused for tries 6 to 9, so that a script with an old PIN cannot
/// destroy keys.
package enum PINSource: Sendable {
    case person, file
}

/// Why a PIN did not open or change the vault.
package enum PINError: Error, Sendable, Equatable {
    /// No PIN is set, so there is no vault to open.
    case notSet
    case alreadySet
    /// `triesLeft` are left until destruction, and the next one is allowed after `blockedFor` seconds; nil if it is allowed now.
    case wrong(triesLeft: Int, blockedFor: Int? = nil)
    /// No PIN has this form. No try was made or counted.
    case impossible
    /// No try was made or counted; the next one is allowed after these seconds.
    case blocked(for: Int)
    /// The last try failed: keys, tokens and rows are gone.
    case destroyed
    /// After five failures a PIN from a file is not tried.
    case needsPerson
    /// A new PIN that is too short, too long or trivial (one digit repeated, a run).
    case tooShort
    case tooLong
    case trivial
    /// The process cannot trust its clocks or boot id (a time namespace with offsets, a boot id that is not the
    /// kernel's own file). This counts as blocked.
    case clockShifted
    /// Another process changed the PIN after the vault was opened, or during this call.
    case changed
    /// The PIN was changed, but records of the old one could not be removed yet. The next right PIN removes them.
    case leftovers
    /// No try was made or counted: the keyring had counted more failures than the database, which was restored from
    /// a copy. The database has its count now.
    case recounted(triesLeft: Int, blockedFor: Int?)
}

/// Checks the PIN and opens the vault with it. The PIN and the device secret in the Secret Service together unseal the
/// master key, under which everything else is sealed.
///
/// Calls throw `PINError`. Those that need the Secret Service throw `SecretServiceError` as well, which costs no try.
/// Each call wipes the PINs that it is given: the one to check after the check, or when no check was possible; a new
/// one once it is set.
package protocol PINGate: Sendable {
    func status() throws -> PINStatus
    /// Makes the vault: device secret, master key, PIN record. Throws `alreadySet` when there is one.
    func set(_ pin: any Secret) throws -> any OpenVault
    /// Counts a try, checks the PIN, opens the vault. An entry that cannot be a PIN costs no try. The PIN is checked
    /// anew each time, also by approvals.
    func open(with pin: any Secret, from source: PINSource) throws -> any OpenVault
    /// Seals the master key under a new PIN and a new device secret, and destroys the sealed form that the old PIN
    /// opened; keys and rows stay as they are. Should the process die on the way, one of the two PINs opens the vault.
    /// Throws the errors of `open`; `tooShort`, `tooLong` or `trivial` for the new PIN; and `leftovers`.
    func change(_ old: any Secret, to new: any Secret, from source: PINSource) throws
    /// Destroys this home's keys, tokens and rows: device secret first.
    func reset() throws
}

/// Why a request to the Secret Service failed: the service is missing, locked or refused. No secret was stored
/// elsewhere instead.
package struct SecretServiceError: Error, Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// libsecret cannot be loaded.
        case noLibrary
        /// No session bus that can be reached.
        case noBus
        /// Nothing on the session bus owns org.freedesktop.secrets.
        case missing
        /// It cannot agree on a transport key, since a part of it is not installed; with the keyring's own error text.
        case noCipher(BankText?)
        /// It has no default collection, and none was made.
        case noCollection
        /// The collection is locked, or its items may not be read, and prompting is not allowed.
        case locked
        /// The person dismissed the keyring's prompt.
        case dismissed
        /// It answered with an error, whose text is given, or not in time.
        case refused(BankText? = nil)
        /// It works, but an item of a connection is not there.
        case itemMissing
        /// It works, but the device secret is not there, so no PIN opens the vault.
        case deviceSecretMissing
        /// An item of a connection is there but differs from the stored value.
        case damaged
        /// The device secret is there, but differs from the secret that was stored, so no PIN opens the vault.
        case deviceSecretDamaged
    }

    package var kind: Kind
    /// Our own words, safe to show.
    package var reason: String
    /// Which program the Secret Service is, where that is known.
    package var keyring = Keyring.other

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }
}
