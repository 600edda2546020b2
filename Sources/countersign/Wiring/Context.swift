import Client
import Records
import Approvals
import Basics
import Ledger
import ApprovalModel
import Cryptography
import Keys
import Synchronization
import Vault
import Web

/// The dependencies of a command. Everything is wired together here.
struct Context: Sendable {
    let options: Options
    let settings: Settings
    let terminal: Terminal
    var prompts: Prompts
    let clock = SystemClock.live
    let database: StateDatabase
    let secretService: SecretService
    let gate: any PINGate
    /// Whether the questions to the person were taken back.
    let isRecalled: @Sendable () -> Bool
    /// Whether calls to the agent may block the calling thread.
    let callsInPlace: Bool

    /// The same, for parsed options.
    init(_ options: GlobalOptions, settings: Settings? = nil, recall: QuestionRecall? = nil) throws {
        try self.init(options.values, settings: settings, recall: recall)
    }

    /// Loads the settings file if `settings` is nil; `recall` can take open questions back.
    init(
        _ options: Options, settings: Settings? = nil, recall: QuestionRecall? = nil, callsInPlace: Bool = false
    ) throws {
        self.options = options
        self.callsInPlace = callsInPlace
        let settings = try settings ?? Settings.load()
        self.settings = settings
        terminal = Terminal(noInput: options.noInput, recall: recall)
        let prompts = Prompts(terminal, settings, options, recall: recall)
        self.prompts = prompts
        isRecalled = { recall?.isTaken ?? false }
        database = StateDatabase(
            try StateDirectory(home: options.home, environment: Environment.all))
        try database.directory.demandNotAnothers()
        secretService = SecretService(allowsPrompt: prompts.canAsk, secrets: Settings.secretNames) {
            try prompts.awaitKeyring($0, $1, $2)
        }
        gate = PINVault(records: database, service: secretService, clock: clock)
    }

    /// Opens the vault with the PIN, which is asked for or taken from the PIN file. `claim`: the fingerprint, or its first digits, of the
    /// only content that a PIN from a file approves thereby.
    func open(approving claim: String? = nil) async throws -> (vault: any OpenVault, proof: ProvedPIN) {
        guard try gate.status().isSet else { throw PINError.notSet }
        return try await withPIN(for: .unlock) { pin, source in
            try open(with: pin, from: source, approving: source == .file ? claim : nil)
        }
    }

    /// Opens the vault with this PIN, and first moves the notes that wait into the log.
    func open(
        with pin: any Secret, from source: PINSource, approving claim: String? = nil
    ) throws -> (vault: any OpenVault, proof: ProvedPIN) {
        let opened = try gate.open(with: pin, from: source, approving: claim)
        settleNotes(in: opened.vault)
        return opened
    }

    /// Hands the PIN to `use`: from the PIN file, or else from the person. Throws `cancelled` if nothing is typed.
    ///
    /// If `use` finds it wrong, asks again, unless the gate would not take another one now. `recap`: lines on the
    /// terminal that name the purpose of the PIN, if the card is no longer in sight.
    func withPIN<R>(
        for purpose: PINPurpose, recap: [String] = [], _ use: (any Secret, PINSource) async throws -> R
    ) async throws -> R {
        if let file = options.effectivePINFile { return try await use(try PINMemo.shared.first(of: file), .file) }
        var notice = prompts.canAsk ? try gate.status().warning() : nil
        while true {
            guard let pin = try prompts.secret(purpose, recap: recap, notice: notice) else { throw Failure.cancelled }
            do {
                return try await use(pin, .person)
            } catch {
                let failure = Failure(error)
                guard prompts.mayAskAgain(after: failure) else { throw error }
                notice = failure.message
            }
        }
    }

    /// The connection to the banks; the caller shuts it down.
    func makeTransport() throws -> Transport {
        let authorities = try options.caFile ?? settings.checkedAuthorities()
        do {
            return try Transport(
                authorities: authorities, environment: Environment.all, now: clock.now,
                trace: { [options] in if options.verbose { Terminal.say($0) } })
        } catch {
            guard options.caFile != nil || authorities == nil || error != .badAuthorities else {
                throw Settings.authoritiesFailure(error.reason)
            }
            let hint =
                switch error {
                case .badAuthorities, .badKeptAuthorities: "name a file in PEM form that you can read: --ca-file PATH"
                case .badSystemFile, .badSystemDirectory: "correct or unset SSL_CERT_FILE and SSL_CERT_DIR"
                case .badProxy:
                    "correct or unset HTTPS_PROXY: http://HOST:PORT; hosts in NO_PROXY are called without it"
                }
            throw Failure(.usage, error.reason, hint: hint)
        }
    }

    func providers(_ transport: Transport) -> Providers { settings.providers(transport, clock) }

    var links: LinkReaders { settings.links }
}

/// The PIN of a PIN file, a fresh copy for each use, since a used PIN is wiped. An ordinary file is read each time.
/// Standard input and pipes cannot be read twice, but an approval may need the PIN twice, so their PIN is kept.
final class PINMemo: Sendable {
    static let shared = PINMemo()
    private let known = Mutex<LockedBytes?>(nil)

    func first(of file: PINFile) throws -> LockedBytes {
        guard !file.canBeReadAgain else { return try file.lines(1)[0] }
        return try known.withLock { known in
            let pin = try known ?? file.lines(1)[0]
            known = pin
            return try pin.withBytes { try LockedBytes(copying: $0) }
        }
    }
}
