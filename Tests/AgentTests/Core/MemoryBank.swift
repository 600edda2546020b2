import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Keys
import Synchronization
import TestSupport

/// A bank in memory, which stores what it lists and counts the calls.
final class MemoryBank: Sendable {
    enum Call: Sendable, Equatable {
        case list, show(BankID), decide(Verdict, BankID), status(BankID), revoke, prove
    }

    struct State {
        var items: [BankID: Authorization] = [:]
        var next = 1
        /// Items in every list that cannot be opened.
        var faults: [ItemFault] = []
        /// Called for every list.
        var onList: (@Sendable () -> Void)?
        /// The error of every list; nil for none.
        var listFault: BankError?
        /// The errors of the next decisions, in order. `true`: the decision takes effect all the same.
        var decisionFaults: [(BankError, Bool)] = []
        /// How often it says that it is processing a decision before its final answer.
        var works = 0
        /// The decisions that it is processing: how many more times it says so, and its final answer.
        var worksOn: [BankID: (Int, AuthorizationStatus)] = [:]
        var decided: [BankID: Verdict] = [:]
        /// The code that comes with the answer to each decision.
        var code: DecisionAnswer.Code?
        /// Doors that hold back the next decisions.
        var gates: [Door] = []
    }

    let name: String
    let state = Mutex(State())
    let calls = Recorded<Call>()

    init(_ name: String) { self.name = name }

    var lists: Int { calls.all.filter { $0 == .list }.count }
    /// The decisions that it accepted, by id.
    var decided: [String: Verdict] {
        Dictionary(uniqueKeysWithValues: state.withLock { $0.decided }.map { ($0.key.text, $0.value) })
    }
    /// How many decisions arrived, including those that failed.
    var sent: Int { calls.all.filter { if case .decide = $0 { true } else { false } }.count }

    /// The bank's page asks to confirm something. Without `id` it gets the bank's next id.
    @discardableResult
    func ask(
        _ title: String = "Pay 9.90 EUR", text: String = "To Fern Books", id: String? = nil, for seconds: Double = 3000,
        at now: Date, needsPIN: Bool = false
    ) throws -> String {
        try state.withLock { state in
            let text = AuthorizationContent(parts: text.isEmpty ? [] : [.text(BankText(text))])
            let number = id ?? String(state.next)
            guard let bankID = BankID(number),
                let fingerprint = Fingerprint(
                    bytes: Digest.sha256(Array("\(name) \(number) \(title) \(text)".utf8)))
            else { throw Unprovided("an id") }
            if id == nil { state.next += 1 }
            state.items[bankID] = Authorization(
                connection: ConnectionGUID(name), id: bankID, status: .pending, title: BankText(title), content: text,
                source: BankText("{}"), code: BankText("c0de"), createdAt: now,
                expiresAt: now.addingTimeInterval(seconds), fingerprint: fingerprint, denialPassesAsApproval: needsPIN)
            return number
        }
    }

    func withdraw(_ id: String) { state.withLock { $0.items = $0.items.filter { $0.key.text != id } } }

    fileprivate func decide(_ verdict: Verdict, _ id: BankID) async throws -> Outcome {
        calls.add(.decide(verdict, id))
        let gate = state.withLock { $0.gates.isEmpty ? nil : $0.gates.removeFirst() }
        await gate?.passes()
        return try state.withLock { state in
            let fault = state.decisionFaults.isEmpty ? nil : state.decisionFaults.removeFirst()
            if let (error, takesEffect) = fault, !takesEffect { throw error }
            state.items[id] = nil
            state.decided[id] = verdict
            if let (error, _) = fault { throw error }
            guard state.works > 0 else { return verdict == .approve ? .confirmed : .denied }
            state.worksOn[id] = (state.works, verdict == .approve ? .confirmed : .denied)
            return .processing
        }
    }

    fileprivate func status(of id: BankID) -> AuthorizationStatus? {
        calls.add(.status(id))
        return state.withLock { state in
            guard let (left, final) = state.worksOn[id] else { return nil }
            guard left > 0 else { return final }
            state.worksOn[id] = (left - 1, final)
            return final == .confirmed ? .confirmProcessing : .denyProcessing
        }
    }
}

/// The wire of the banks in memory. A link `memory:…` enrolls, and the bank's page leads back with `?ok`.
extension SecretName where Value == any Secret {
    static var token: SecretName { SecretName("token", .bytes, endsAtBank: true) }
}

struct MemoryProvider: Provider {
    static let wire = WireProtocol(rawValue: "memory")
    let banks: [MemoryBank]

    var wires: Set<WireProtocol> { [Self.wire] }
    var secrets: [any DeclaredSecret] { [SecretName.token] }

    func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        MemoryEnrollment()
    }
    func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        MemoryEnrollment()
    }

    func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        _ = try secrets.load(.token)
        guard let bank = banks.first(where: { $0.name == connection.guid.text }) ?? banks.first else {
            throw Unprovided("a bank")
        }
        return MemoryService(bank: bank)
    }

    static func enrolled(_ id: String, secrets: EnrolledSecrets = EnrolledSecrets()) throws -> EnrolledConnection {
        guard let id = BankID(id) else { throw Unprovided("an id") }
        return EnrolledConnection(
            id: id, wireProtocol: wire, baseURL: try WebAddress("https://bank.example"),
            bankName: BankText("Fern Bank"), nickname: BankText("fernbank"), secrets: secrets)
    }
}

struct MemoryLinks: LinkReader {
    func read(_ link: LinkText) throws(LinkError) -> Link? {
        guard link.scheme == "memory" else { return nil }
        guard let address = try? WebAddress("https://bank.example") else {
            throw LinkError(.foreignAddress, "no address")
        }
        return .connect(ConnectLink(wires: [MemoryProvider.wire], address: address, content: 0))
    }
}

private struct MemoryEnrollment: ProviderEnrollment {
    func begin() async throws -> EnrollmentOffer {
        let address = try WebAddress("https://bank.example")
        return EnrollmentOffer(bankName: BankText("Fern Bank"), source: address, baseURL: address)
    }

    func accept(returnURL: String) async throws -> EnrollmentStep {
        .page(try WebAddress("https://bank.example/login"))
    }

    func take(_ address: String) async throws -> EnrolledConnection? {
        guard address.hasSuffix("?ok") else { return nil }
        return try MemoryProvider.enrolled(
            "812", secrets: EnrolledSecrets().with(.token, try MemoryGate.secret("token")))
    }
}

private struct MemoryService: BankService {
    let bank: MemoryBank

    func authorizations() async throws -> AuthorizationList {
        bank.calls.add(.list)
        bank.state.withLock { $0.onList }?()
        let (items, faults) = try bank.state.withLock { state in
            if let fault = state.listFault { throw fault }
            return (state.items.values.sorted { $0.id.text < $1.id.text }, state.faults)
        }
        return AuthorizationList(
            authorizations: items, faults: faults, listed: Set(items.map(\.id) + faults.compactMap(\.id)), bankTime: nil
        )
    }

    func authorization(_ id: BankID) async throws -> Authorization {
        bank.calls.add(.show(id))
        guard let found = bank.state.withLock({ $0.items[id] }) else { throw BankError(.authorizationGone, "gone") }
        return found
    }

    func status(of id: BankID) async throws -> AuthorizationStatus? { bank.status(of: id) }

    func sign(
        _ reply: Reply, on authorization: Authorization, clockCorrection: Int
    ) throws -> SignedDecision {
        SignedDecision(
            authorization: authorization, verdict: reply.verdict, signedBytes: [1], signature: "signature",
            request: SignedRequest(
                method: "PUT", address: try WebAddress("https://bank.example/"), headers: [], body: []))
    }

    func send(_ decision: RecordedDecision) async throws -> DecisionAnswer {
        DecisionAnswer(
            try await bank.decide(decision.decision.verdict, decision.decision.authorization.id),
            code: bank.state.withLock { $0.code })
    }

    func claim(_ action: ActionLink) async throws -> ActionAnswer { throw Unprovided("claim") }
    func revokeConnection() async throws { bank.calls.add(.revoke) }
    func prove() async throws { bank.calls.add(.prove) }
}
