@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Keys
import Synchronization
import Testing

/// Time that passes only by what is slept, and by what a test lets pass: no sleep takes any real time.
final class PassingTime: Sendable {
    private let moment = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { moment.withLock { $0 } }

    var clock: Clock {
        Clock(
            now: { World.now }, boot: { nil }, moment: { self.now },
            sleepUntil: { end in
                try Task.checkCancellation()
                self.moment.withLock { $0 = max($0, end) }
            })
    }

    func pass(_ duration: Duration) { moment.withLock { $0 += duration } }
}

/// A workspace on memory stores, with one connection at a scripted bank.
struct World {
    static let now = Date(timeIntervalSince1970: 1_893_456_000)
    static let clock = Clock(now: { Self.now }, boot: { nil })
    let vault = MemoryVault()
    let connections: MemoryConnections
    let log = MemoryLog()
    let bank: ScriptedBank
    let connection: Connection
    /// The page on which the person signs in; nil if the bank needs none.
    var page: WebAddress?

    init(_ script: ScriptedBank.Script = .init()) throws {
        bank = ScriptedBank(script)
        connection = Connection(
            guid: ConnectionGUID("guid"), name: try #require(ConnectionName("fernbank")), keyID: KeyID("old"),
            enrolled: try Self.enrolled(), createdAt: Self.now, updatedAt: Self.now)
        connections = MemoryConnections([connection])
        try vault.store(
            EnrolledSecrets().with(.key, PlainSecret("old key")).with(.token, PlainSecret("good")), as: KeyID("old"))
    }

    static func offer() throws -> EnrollmentOffer {
        EnrollmentOffer(
            bankName: BankText("Fern Bank"), source: try WebAddress("https://bank.example/configuration"),
            baseURL: try WebAddress("https://bank.example"))
    }

    static func enrolled(_ id: String = "12", secrets: EnrolledSecrets = EnrolledSecrets()) throws -> EnrolledConnection
    {
        EnrolledConnection(
            id: try #require(BankID(id)), wireProtocol: ScriptedProvider.wire,
            baseURL: try WebAddress("https://bank.example"), bankName: BankText("Fern Bank"),
            nickname: BankText("fernbank"), secrets: secrets)
    }

    func workspace(clock: Clock = Self.clock) throws -> Workspace {
        return Workspace(
            vault: vault, connections: connections, log: log,
            providers: Providers([ScriptedProvider(page: page, bank: bank)]),
            clock: clock)
    }

    static func authorization(
        _ id: String = "77", content: UInt8 = 1, status: AuthorizationStatus = .pending, expiresIn: Double? = 300,
        denialPassesAsApproval: Bool = false, needsPosition: Bool = false
    ) throws -> Authorization {
        Authorization(
            connection: ConnectionGUID("guid"), id: try #require(BankID(id)), status: status,
            title: BankText("Pay 9.90 EUR"),
            content: AuthorizationContent(parts: [.text(BankText("To Fern Books"))]), source: BankText("{}"),
            code: BankText("c0de"),
            createdAt: now, expiresAt: expiresIn.map(now.addingTimeInterval),
            fingerprint: try #require(Fingerprint(bytes: Array(repeating: content, count: 32))),
            denialPassesAsApproval: denialPassesAsApproval, needsPosition: needsPosition)
    }

    static func card(_ authorization: Authorization) throws -> ShownCard {
        ShownCard(
            connection: authorization.connection, connectionName: try #require(ConnectionName("fernbank")),
            bank: BankText("Fern Bank"), host: "bank.example", id: authorization.id, title: authorization.title,
            text: "To Fern Books", fields: [:], source: BankText("{}"), code: authorization.code,
            expiresAt: authorization.expiresAt,
            fingerprint: authorization.fingerprint)
    }

    /// A decision from an earlier run.
    static func entry(
        _ verdict: Verdict = .approve, outcome: Outcome = .unknown, content: UInt8 = 1, age: Double = 600,
        expiresIn: Double = 300
    ) throws -> DecisionEntry {
        DecisionEntry(
            sequence: 5, at: now.addingTimeInterval(-age),
            shown: try card(try authorization(content: content, expiresIn: expiresIn)), verdict: verdict,
            requester: Requester(pid: 4711, uid: 0, commands: []), signedBytes: [], signature: "", outcome: outcome,
            basis: nil, outcomeAt: nil, isFinal: false, hash: "")
    }

    static func list(
        _ authorizations: [Authorization] = [], listed: [String] = [], settled: [BankID: AuthorizationStatus] = [:],
        bankTime: Date? = nil
    ) -> AuthorizationList {
        AuthorizationList(
            authorizations: authorizations, faults: [],
            listed: Set(authorizations.map(\.id)).union(listed.compactMap { BankID($0) }), settled: settled,
            bankTime: bankTime)
    }
}
