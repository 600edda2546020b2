import Basics
import ApprovalModel
import Cryptography
import Keys
import Web

/// One enrollment at a site (tiqr section 4): fetch the metadata, make a secret, send it in one call. No page leads
/// back, and only the first login shows that the account works.
actor TiqrEnrollment: ProviderEnrollment {
    private let provider: TiqrProvider
    private let link: TiqrEnroll
    private let known: [Connection]
    private let replaced: Connection?
    private var metadata: TiqrMetadata?

    /// - Parameters:
    ///   - known: all existing connections.
    ///   - replaced: the connection to reconnect; nil for a new one.
    init(
        at provider: TiqrProvider, _ link: TiqrEnroll, beside known: [Connection] = [],
        inPlaceOf replaced: Connection? = nil
    ) {
        self.provider = provider
        self.link = link
        self.known = known
        self.replaced = replaced
    }

    func begin() async throws -> EnrollmentOffer {
        let answer = try await fetch()
        let metadata: TiqrMetadata
        do {
            metadata = try TiqrMetadata(answer, for: link)
            if let replaced { try demandSame(metadata, replaced) }
            try demandNew(metadata)
        } catch let error as BankError {
            throw Failure(
                error.kind == .insecure ? .unreachable : .refused, error.reason,
                hint: "such a link works once: ask the site's page for a new one")
        }
        self.metadata = metadata
        return EnrollmentOffer(
            bankName: metadata.serviceName, source: link.metadata, baseURL: metadata.authentication,
            account: metadata.accountName,
            notes: link.family.notes + ["The link works once: to begin again, ask the site's page for a new one."],
            others: [metadata.enrollment] + [link.link].compactMap { $0 })
    }

    /// Fetches the metadata, which works only once. Follows redirects within the same origin, at most 3.
    private func fetch() async throws(BankError) -> Answer {
        var address = link.metadata
        for _ in 0...3 {
            let answer = try await provider.transport.ask(Call(tiqr: "GET", address))
            guard let location = answer.redirect else { return answer }
            guard let next = address.resolving(location), next.origin == link.metadata.origin else {
                throw BankError(.insecure, "\(address.hostForPeople) leads to another place for the account's metadata")
            }
            address = next
        }
        throw BankError(.refused, "\(address.hostForPeople) leads in circles for the account's metadata")
    }

    /// Each account has one secret. A new enrollment must not lead existing accounts of the service to another address,
    /// or weaken them.
    private func demandNew(_ metadata: TiqrMetadata) throws {
        let ofService = known.filter {
            $0.tiqr?.service == metadata.service && $0.guid != replaced?.guid
        }
        if let same = ofService.first(where: { $0.id == metadata.identity }) {
            throw Failure(
                .refused, "this account is connected already, as \"\(same.name.text)\"",
                hint: "with a new link from its site: countersign reconnect \(same.name.text) -")
        }
        for other in ofService { try demandUnchanged(metadata, other) }
    }

    private func demandUnchanged(_ metadata: TiqrMetadata, _ other: Connection) throws(BankError) {
        guard other.baseURL == metadata.authentication, other.tiqr?.suite == metadata.suite.text else {
            throw BankError(
                .refused,
                "the service calls itself as that of \"\(other.name.text)\", but has another address or wants other responses"
            )
        }
    }

    /// The service must be the same. The account's identifier may differ, because some sites make a new one each time.
    private func demandSame(_ metadata: TiqrMetadata, _ replaced: Connection) throws(BankError) {
        guard metadata.service == replaced.tiqr?.service else {
            throw BankError(.refused, "the link is for another service than \"\(replaced.name.text)\"")
        }
        try demandUnchanged(metadata, replaced)
        // The metadata is nobody's word but the link's: the new secret goes only to the host that the account logs in at.
        guard metadata.enrollment.host == replaced.baseURL.host else {
            throw BankError(
                .refused,
                "the link would send the new secret of \"\(replaced.name.text)\" to \(metadata.enrollment.hostForPeople), which is not its host"
            )
        }
    }

    func accept(returnURL: String) async throws -> EnrollmentStep {
        guard let metadata else { throw BankError(.refused, "the account's metadata was not fetched") }
        let secret = try LockedBytes.random(32)
        // Stored before it is sent: the site accepts it once, and the answer may be lost.
        return .unconfirmed(
            EnrolledConnection(
                id: metadata.identity, wireProtocol: .tiqr, baseURL: metadata.authentication,
                bankName: metadata.serviceName, nickname: BankText(metadata.service), account: metadata.accountName,
                state: try ProviderState(
                    TiqrState(
                        service: metadata.service, suite: metadata.suite.text, enrollment: metadata.enrollment.text)),
                secrets: EnrolledSecrets().with(.shared, secret)))
    }

    func take(_ address: String) async throws -> EnrolledConnection? { nil }
}
