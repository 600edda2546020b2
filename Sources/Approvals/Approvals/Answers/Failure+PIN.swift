package import Basics
import Display
import Keys

// Errors of the PIN and of the keyring, as text and exit codes.

extension Failure {
    init(pin error: PINError) {
        self =
            switch error {
            case .notSet:
                Failure(
                    .locked, "no PIN is set",
                    hint: "choose one: countersign pin set; then connect a bank: countersign enroll")
            case .alreadySet: Failure(.usage, "a PIN is set already", hint: "countersign pin change")
            case .wrong(let left, let seconds): Failure(wrongPIN: left, seconds)
            case .impossible: .impossiblePIN
            case .blocked(let seconds):
                Failure(
                    .locked, "too many wrong PINs; the next try is allowed in \(Self.duration(seconds))",
                    hint: "wait, then try again; countersign pin reset destroys this home's keys")
            case .destroyed:
                Failure(
                    .locked, "nine wrong PINs in a row: the keys of this home are destroyed",
                    hint: "countersign pin set, then enroll your banks again")
            case .needsPerson:
                Failure(
                    .locked, "after five wrong PINs a PIN from a file is not tried: this needs a terminal",
                    hint: "enter the PIN on a terminal")
            case .tooShort:
                Failure(.usage, "the PIN is too short", hint: Self.pinForm)
            case .tooLong:
                Failure(.usage, "the PIN is too long", hint: Self.pinForm)
            case .trivial:
                Failure(.usage, "the PIN is too easy to guess", hint: "no repeated digit, no run such as 123456")
            case .clockShifted:
                Failure(
                    .locked, "this process may see shifted clocks or a false boot id, so no PIN is tried",
                    hint: "run it where /proc is the kernel's own and no time namespace shifts its clocks")
            case .changed:
                Failure(.locked, "the PIN was changed in the meantime", hint: "run it again with the new PIN")
            case .leftovers:
                Failure(
                    .internal, "the PIN is changed, but a remainder of the old one could not be removed yet",
                    hint: "the next command that takes the PIN removes it; countersign doctor checks the keyring")
            case .recounted(let left, let seconds):
                Failure(
                    .locked,
                    "the keyring has counted more wrong PINs than this home's database, which is an older copy; this PIN was not tried"
                        + Self.triesLeft(left),
                    hint: Self.afterWrongPIN(left, seconds) ?? "run it again, on a terminal")
            }
    }

    /// The form of a PIN, in words.
    package static let pinForm = "6 to 16 digits, or a passphrase of 8 or more characters"

    private static var impossiblePIN: Failure {
        var failure = Failure(
            .locked, "that is not your Countersign PIN, which has another form; no try was counted", hint: pinForm)
        failure.mayTryAgain = true
        return failure
    }

    private init(wrongPIN left: Int, _ blockedFor: Int?) {
        self.init(.locked, "wrong PIN" + Self.triesLeft(left), hint: Self.afterWrongPIN(left, blockedFor))
        mayTryAgain = blockedFor == nil
    }

    private static func triesLeft(_ left: Int) -> String { left == 1 ? "; 1 try is left" : "; \(left) tries are left" }

    private static func afterWrongPIN(_ left: Int, _ blockedFor: Int?) -> String? {
        if let blockedFor {
            let last = left == 1 ? "; a wrong one then destroys all keys, and every bank must be enrolled again" : ""
            return "the next try is allowed in \(duration(blockedFor))\(last)"
        }
        switch left {
        case 0: return "another PIN destroys all keys, right or wrong; put the newer database back before"
        case 1: return "a wrong one now destroys all keys, and every bank must be enrolled again"
        case 5, 6: return "after \(left - 4) more the PIN is blocked for a minute"
        default: return nil
        }
    }

    /// A duration in words.
    package static func duration(_ seconds: Int) -> String {
        seconds < 90 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }

    init(secretService error: SecretServiceError) {
        let hint =
            switch error.kind {
            case .noBus:
                "dbus-run-session -- bash, then unlock a keyring there, its password on standard input: gnome-keyring-daemon --unlock --components=secrets"
            case .noLibrary: "apt install libsecret-1-0"
            case .missing: "start the keyring that has your keys again; which and how says: countersign doctor"
            case .noCipher:
                "apt install libqca-qt5-2-plugins (of kwalletd6: libqca-qt6-plugins), then end KWallet so that it starts anew: pkill kwalletd"
            case .noCollection: Self.collectionHint(error.keyring)
            case .locked where error.keyring == .keepassxc:
                "unlock the database in KeePassXC; or run this on a terminal without --no-input, and allow what KeePassXC asks, with Remember ticked"
            case .locked: "unlock the keyring, or run this on a terminal without --no-input"
            case .dismissed where error.keyring == .keepassxc:
                "try again, and allow what KeePassXC asks, with Remember ticked"
            case .dismissed: "try again, and give the keyring its password when it asks"
            case .itemMissing, .damaged:
                "restore the keyring from a backup; or connect the bank again: countersign reconnect NAME"
            case .deviceSecretMissing:
                "another keyring may answer than the one that has your keys; which one to start, or how to start anew, says: countersign doctor"
            case .deviceSecretDamaged:
                "restore the keyring from a backup; or start anew, and enroll your banks again: countersign pin reset"
            case .refused: "countersign doctor"
            }
        switch error.kind {
        case .damaged, .deviceSecretDamaged: self.init(.damaged, error.reason, hint: hint)
        case .noCipher(let said?), .refused(let said?):
            self.init(.secretService, "\(error.reason): \(DisplayText(said).line(within: 200))", hint: hint)
        case .noCipher, .refused, .noLibrary, .noBus, .missing, .noCollection, .locked, .dismissed, .itemMissing,
            .deviceSecretMissing:
            self.init(.secretService, error.reason, hint: hint)
        }
    }

    /// How to create a default collection, which each keyring calls something else.
    private static func collectionHint(_ keyring: Keyring) -> String {
        switch keyring {
        case .gnomeKeyring:
            "on a terminal of your desktop, without --no-input, countersign pin set has GNOME Keyring ask for the password of a new one; without a desktop, its password on standard input: gnome-keyring-daemon --unlock"
        case .kwallet:
            "on a terminal of your desktop, without --no-input, countersign pin set has KWallet ask for a new wallet; or make one in KDE's wallet manager: kwalletmanager5"
        case .keepassxc:
            "open a database in KeePassXC, and in Database > Database Settings > Secret Service Integration choose: Expose entries under this group"
        case .other: "make one in the keyring's own program, and have it be the default; then: countersign doctor"
        }
    }
}
