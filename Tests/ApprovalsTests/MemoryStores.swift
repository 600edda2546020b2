@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Keys
import Synchronization

// The seams in memory. What a test did not provide fails loudly: every unexpected call throws `Unprovided`.

struct Unprovided: Error, CustomStringConvertible {
    var description: String
    init(_ name: String) { description = "the test did not provide \(name)" }
}

final class PlainSecret: Secret {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    convenience init(_ text: String) { self.init(Array(text.utf8)) }
    var count: Int { bytes.count }
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { try bytes.withUnsafeBytes(body) }
    func wipe() {}
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Keeps the bytes of each secret by id and name. These tests seal nothing.
final class MemoryVault: KeyStore, RowSealer, LogHeadStore, SessionsKeyStore {
    func sessionsKey() throws -> any SecretSealer { throw Unprovided("sessionsKey") }

    struct Contents {
        var secrets: [KeyID: [String: [UInt8]]] = [:]
        var refusesToStore = false
        var whenStoring: @Sendable () -> Void = {}
        var refusesToDestroy = false
        var isDestroyed = false
    }
    let contents = Mutex(Contents())

    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws {
        contents.withLock { $0.whenStoring }()
        let bytes = try secrets.bytes().map { ($0.name, $0.secret.withBytes { Array($0) }) }
        try contents.withLock { contents in
            if contents.refusesToStore { throw SecretServiceError(.locked, "locked") }
            contents.secrets[id] = Dictionary(uniqueKeysWithValues: bytes)
        }
    }
    func load<Value>(_ name: SecretName<Value>, of id: KeyID) throws -> Value {
        guard let bytes = contents.withLock({ $0.secrets[id]?[name.text] }) else {
            throw SecretServiceError(.itemMissing, "no \(name.text)")
        }
        return try name.kind.open(PlainSecret(bytes))
    }
    func readAhead() {}
    func destroy(_ name: String, of id: KeyID) throws { contents.withLock { $0.secrets[id]?[name] = nil } }
    func destroy(_ id: KeyID) throws {
        try contents.withLock { contents in
            if contents.refusesToDestroy { throw SecretServiceError(.locked, "locked") }
            contents.secrets[id] = nil
        }
    }
    func keyIDs() throws -> Set<KeyID> { contents.withLock { Set($0.secrets.keys) } }
    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] { throw Unprovided("seal") }
    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8] { throw Unprovided("open") }
    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] { throw Unprovided("authenticate") }
    func demandCurrent() throws { if contents.withLock({ $0.isDestroyed }) { throw PINError.notSet } }
    func logHead() throws -> [UInt8]? { throw Unprovided("logHead") }
    func setLogHead(_ sealed: [UInt8]) throws { throw Unprovided("setLogHead") }
    func isLogBegun() throws -> Bool { throw Unprovided("isLogBegun") }
    func beginLog() throws { throw Unprovided("beginLog") }
}

final class MemoryConnections: ConnectionStore {
    func damagedRows() throws -> Int { 0 }

    let rows: Mutex<[Connection]>
    init(_ rows: [Connection] = []) { self.rows = Mutex(rows) }

    func connections() throws -> [Connection] { rows.withLock { $0.sorted { $0.name < $1.name } } }
    func add(_ connection: Connection) throws -> Connection {
        rows.withLock { rows in
            var connection = connection
            connection.name = connection.name.free(among: Set(rows.map(\.name)))
            rows.append(connection)
            return connection
        }
    }
    func update(_ guid: ConnectionGUID, _ change: (inout Connection) throws -> Void) throws -> Connection {
        try rows.withLock { rows in
            guard let index = rows.firstIndex(where: { $0.guid == guid }) else {
                throw StoreError.notFound("no such connection")
            }
            try change(&rows[index])
            return rows[index]
        }
    }
    func remove(_ guid: ConnectionGUID) throws { rows.withLock { $0.removeAll { $0.guid == guid } } }
    let isHeld = Atomic(false)
    /// Called before a change of state begins.
    let whenBeginning = Mutex<@Sendable () -> Void>({})
    func exclusively<R>(_ change: () throws -> R) throws -> R {
        whenBeginning.withLock { $0 }()
        isHeld.store(true, ordering: .relaxed)
        defer { isHeld.store(false, ordering: .relaxed) }
        return try change()
    }
}

/// Records the calls, in order.
final class MemoryLog: DecisionLog, ClaimLog {
    enum Event: Equatable {
        case sending(Verdict, BankID)
        case answered(Outcome)
        case resolved(Int64, Resolution)
        case claiming
        case claimed(ClaimOutcome)
    }
    struct Contents {
        var events: [Event] = []
        var waiting: [DecisionEntry] = []
        var isDecided = false
        /// The numbers of the decisions whose call is running.
        var underWay: Set<Int64> = []
        var failsToRecordAnswers = false
        /// The bodies of the recorded requests.
        var signed: [String] = []
        var whenSettling: @Sendable () -> Void = {}
    }
    let contents = Mutex(Contents())
    var events: [Event] { contents.withLock { $0.events } }
    var signed: [String] { contents.withLock { $0.signed } }

    func recordSending(_ decision: SignedDecision, shown: ShownCard, by requester: Requester, at: Date) throws
        -> RecordedDecision
    {
        try contents.withLock { contents in
            if contents.isDecided { throw StoreError.alreadyDecided }
            contents.events.append(.sending(decision.verdict, decision.authorization.id))
            contents.signed.append(String(decoding: decision.request.body, as: UTF8.self))
            let sequence = Int64(contents.events.count)
            contents.underWay.insert(sequence)
            return RecordedDecision(decision: decision, sequence: sequence, call: Call(self, sequence))
        }
    }
    func isAnswered(_ authorization: Authorization) throws -> Bool { throw Unprovided("isAnswered") }
    func isUnderWay(_ sequence: Int64) throws -> Bool { contents.withLock { $0.underWay.contains(sequence) } }

    private final class Call: RunningCall {
        private let log: MemoryLog
        private let sequence: Int64

        init(_ log: MemoryLog, _ sequence: Int64) {
            self.log = log
            self.sequence = sequence
        }

        func end() { log.contents.withLock { _ = $0.underWay.remove(sequence) } }
    }
    func recordAnswer(_ answer: Outcome, to decision: RecordedDecision, at: Date) throws {
        try contents.withLock { contents in
            if contents.failsToRecordAnswers { throw SecretServiceError(.refused(), "gone away") }
            contents.events.append(.answered(answer))
        }
    }
    func resolve(_ sequence: Int64, _ resolution: Resolution, at: Date) throws {
        contents.withLock { $0.whenSettling }()
        contents.withLock { $0.events.append(.resolved(sequence, resolution)) }
    }
    func unresolved(of connection: ConnectionGUID) throws -> [DecisionEntry] {
        contents.withLock { $0.whenSettling }()
        return contents.withLock { $0.waiting }
    }
    func unresolvedConnections() throws -> Set<ConnectionGUID> {
        Set(contents.withLock { $0.waiting.map(\.shown.connection) })
    }
    func entries() throws -> [DecisionEntry] { contents.withLock { $0.waiting } }
    func verify() throws -> LogVerdict { throw Unprovided("verify") }
    func recordClaiming(_ action: ClaimedAction, by requester: Requester, at: Date) throws -> Int64 {
        contents.withLock { $0.events.append(.claiming) }
        return 1
    }
    func recordClaim(_ outcome: ClaimOutcome, authorization: BankID?, of sequence: Int64, at: Date) throws {
        contents.withLock { $0.events.append(.claimed(outcome)) }
    }
    func claims() throws -> [ClaimEntry] { throw Unprovided("claims") }
}

/// A bank that gives the answers that the test scripted.
final class ScriptedBank: BankService {
    struct Script {
        var list: Result<AuthorizationList, BankError>?
        var shown: [Result<Authorization, BankError>] = []
        var answers: [Result<Outcome, BankError>] = []
        var statuses: [Result<AuthorizationStatus?, BankError>] = []
        var secondsToAStatus = 0.0
        var revocation: Result<Void, BankError>?
        var claim: Result<ActionAnswer, BankError>?
        var proof: Result<Void, BankError>?
        var sent: [(Verdict, Int)] = []
        var corrections: [Int] = []
        /// How many keys were made for it.
        var keys = 0
    }
    let script: Mutex<Script>
    let time = PassingTime()
    let proofGate = Mutex<ProofGate?>(nil)
    init(_ script: Script) { self.script = Mutex(script) }

    private func next<T: Sendable>(_ name: String, _ take: (inout Script) -> Result<T, BankError>?) throws -> T {
        guard let result = script.withLock({ take(&$0) }) else { throw Unprovided(name) }
        return try result.get()
    }
    private func first<T: Sendable>(_ queue: inout [T]) -> T? { queue.isEmpty ? nil : queue.removeFirst() }

    func authorizations() async throws -> AuthorizationList { try next("list") { $0.list } }
    func authorization(_ id: BankID) async throws -> Authorization { try next("shown") { first(&$0.shown) } }
    func status(of id: BankID) async throws -> AuthorizationStatus? {
        time.pass(.seconds(script.withLock { $0.secondsToAStatus }))
        return try next("statuses") { first(&$0.statuses) }
    }
    func sign(_ reply: Reply, on authorization: Authorization, clockCorrection: Int) throws -> SignedDecision {
        script.withLock { $0.corrections.append(clockCorrection) }
        return SignedDecision(
            authorization: authorization, verdict: reply.verdict, signedBytes: [1], signature: "signature",
            request: SignedRequest(
                method: "PUT", address: try WebAddress("https://bank.example/"), headers: [], body: []))
    }
    func send(_ decision: RecordedDecision) async throws -> DecisionAnswer {
        script.withLock { $0.sent.append((decision.decision.verdict, Int(decision.sequence))) }
        return DecisionAnswer(try next("answers") { first(&$0.answers) })
    }
    func claim(_ action: ActionLink) async throws -> ActionAnswer { try next("claim") { $0.claim } }
    func consents() async throws -> ConsentList { throw Unprovided("consents") }
    func revokeConsent(_ id: BankID) async throws { throw Unprovided("revokeConsent") }
    func revokeConnection() async throws { try next("revocation") { $0.revocation } }
    func prove() async throws {
        await proofGate.withLock { $0 }?.pass()
        try next("proof") { $0.proof }
    }
}

extension SecretName where Value == any Secret {
    static var key: SecretName { SecretName("key", .bytes) }
    static var token: SecretName { SecretName("token", .bytes, endsAtBank: true) }
}

/// Enrolls at a scripted bank. Every token except `good` fails its proof.
struct ScriptedProvider: Provider {
    static let wire = WireProtocol(rawValue: "scripted")
    var page: WebAddress?
    var bank: ScriptedBank

    var wires: Set<WireProtocol> { [Self.wire] }
    var secrets: [any DeclaredSecret] { [SecretName.key, SecretName.token] }

    func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        ScriptedEnrollment(page: page, bank: bank)
    }
    func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        ScriptedEnrollment(page: page, bank: bank)
    }

    func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        (try secrets.load(.token) as? PlainSecret)?.text == "good"
            ? bank : ScriptedBank(.init(proof: .failure(.init(.connectionGone, "who"))))
    }
}

/// The bank gives the connection the id 812. If it has a page, its token comes in the redirect.
final class ScriptedEnrollment: ProviderEnrollment {
    private let page: WebAddress?
    private let bank: ScriptedBank
    private let terms = Mutex<(returnURL: String, key: PlainSecret)?>(nil)

    init(page: WebAddress?, bank: ScriptedBank) {
        self.page = page
        self.bank = bank
    }

    func begin() async throws -> EnrollmentOffer { try World.offer() }

    func accept(returnURL: String) async throws -> EnrollmentStep {
        let made = bank.script.withLock { script in
            script.keys += 1
            return script.keys
        }
        let key = PlainSecret("key \(made)")
        terms.withLock { $0 = (returnURL, key) }
        if let page { return .page(page) }
        return .enrolled(
            try World.enrolled("812", secrets: EnrolledSecrets().with(.key, key).with(.token, PlainSecret("good"))))
    }

    func take(_ address: String) async throws -> EnrolledConnection? {
        guard let terms = terms.withLock({ $0 }), address.hasPrefix(terms.returnURL + "?") else { return nil }
        let query = QueryParameters(address.dropFirst(terms.returnURL.count + 1))
        guard let token = query["access_token"] else {
            throw EnrollmentRefusal.refused(errorClass: query["error_class"].map { BankText(String($0)) }, message: nil)
        }
        if let id = query["id"], id != "812" { throw EnrollmentRefusal.foreignID }
        return try World.enrolled(
            "812", secrets: EnrolledSecrets().with(.key, terms.key).with(.token, PlainSecret(String(token))))
    }
}

/// Redirects in the order in which a browser would bring them.
final class ScriptedCallback: Sendable {
    let returnURL = "http://127.0.0.1:4000/once"
    struct Contents {
        var redirects: [String]
        var answers: [Bool] = []
        var opened: [String] = []
    }
    let contents: Mutex<Contents>
    init(_ redirects: [String] = []) { contents = Mutex(Contents(redirects: redirects)) }

    func open(_ page: WebAddress) { contents.withLock { $0.opened.append(page.text) } }
    func next() -> String? { contents.withLock { $0.redirects.isEmpty ? nil : $0.redirects.removeFirst() } }
    func answer(_ isAccepted: Bool) { contents.withLock { $0.answers.append(isAccepted) } }
}
