import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Web

/// One account at a site (tiqr section 5).
struct TiqrService: BankService {
    let connection: Connection
    let state: TiqrState
    let secret: any Secret
    let provider: TiqrProvider

    var tellsEnd: Bool { false }

    // MARK: Waiting requests

    func authorizations() async throws -> AuthorizationList {
        let waiting = try provider.challenges.listed(of: connection.guid, at: provider.now())
            .sorted { ($0.1.receivedAt, $0.0.text) < ($1.1.receivedAt, $1.0.text) }
            .map { try authorization($0.0, $0.1) }
        return AuthorizationList(authorizations: waiting, faults: [], listed: Set(waiting.map(\.id)), bankTime: nil)
    }

    func authorization(_ id: BankID) async throws -> Authorization {
        guard let found = provider.challenges.find(id, of: connection.guid) else {
            throw BankError(.authorizationGone, "no link brought this challenge")
        }
        return try authorization(id, found)
    }

    /// Always throws `authorizationGone`: the site cannot be asked, so a lost answer stays unknown.
    func status(of id: BankID) async throws -> AuthorizationStatus? {
        throw BankError(.authorizationGone, "the site cannot be asked what became of a challenge")
    }

    /// The link is itself the request, so nothing is sent.
    func claim(_ action: ActionLink) async throws -> ActionAnswer {
        guard let challenge = action.content as? TiqrChallenge, challenge.matches([connection]).count == 1,
            let id = BankID(challenge.sessionKey.untrusted)
        else { throw BankError(.actionRefused, "the link is not for this account") }
        try demandUnblocked()
        guard !state.refused.contains(id.text) else {
            throw BankError(
                .actionRefused, "the site did not accept the response to this challenge; it would be the same")
        }
        _ = try ocra(challenge)
        try provider.challenges.take(
            .init(
                challenge: challenge, receivedAt: provider.now(), isClicked: action.isClicked,
                isListed: action.isListed),
            id, of: connection.guid)
        return ActionAnswer(success: true, authorization: id)
    }

    /// A block that ends by itself is not tried before.
    private func demandUnblocked() throws(BankError) {
        guard connection.status == .blocked, let end = state.blockedUntil, end > provider.now() else { return }
        throw BankError(.blocked, "the site blocked this account until \(Timestamp.format(end))")
    }

    // MARK: Decisions

    func sign(_ reply: Reply, on authorization: Authorization, clockCorrection: Int) throws -> SignedDecision {
        guard let waiting = provider.challenges.find(authorization.id, of: connection.guid),
            try self.authorization(authorization.id, waiting).fingerprint == authorization.fingerprint
        else { throw BankError(.authorizationGone, "no link brought this challenge") }
        var (signed, response): ([UInt8], [UInt8]) = ([], [])
        if reply.verdict == .approve {
            try demandUnblocked()
            let ocra = try ocra(waiting.challenge)
            (signed, response) = (ocra.message, Array(try self.response(ocra).utf8))
        }
        // The log keeps the input of the MAC, but not the response: with a response and an old copy of the store of
        // another program, its PIN could be guessed (tiqr section 7.6).
        return SignedDecision(
            authorization: authorization, verdict: reply.verdict, signedBytes: signed, signature: "",
            request: SignedRequest(method: "POST", address: connection.baseURL, headers: [], body: response))
    }

    private func response(_ ocra: OCRA) throws(BankError) -> String {
        do {
            return try ocra.response(key: secret)
        } catch {
            throw BankError(.cryptography, "the response could not be made")
        }
    }

    func send(_ recorded: RecordedDecision) async throws -> DecisionAnswer {
        let decision = recorded.decision
        let id = decision.authorization.id
        guard decision.verdict == .approve else {
            provider.challenges.remove(id, of: connection.guid)
            return DecisionAnswer(.denied)
        }
        let response = String(decoding: decision.request.body, as: UTF8.self)
        let answer: Answer
        do throws(BankError) {
            answer = try await provider.transport.ask(
                Call(
                    tiqr: "POST", connection.baseURL,
                    form: [
                        "sessionKey": id.text, "userId": connection.id.text, "response": response,
                        "operation": "login", "language": provider.language, "version": "2",
                    ]))
        } catch {
            // Nothing was sent, so the challenge can be answered again, or the response typed on the site's page. Not
            // after a bad certificate: its owner may also control that page.
            if case .unreachable(let obstacle, _) = error.kind {
                throw obstacle?.isOfCertificate == true ? error : byHand(error, obstacle, response)
            }
            provider.challenges.remove(id, of: connection.guid)
            throw error
        }
        provider.challenges.remove(id, of: connection.guid)
        return try judge(answer, to: id)
    }

    private func byHand(_ error: BankError, _ obstacle: CallError.Obstacle?, _ response: String) -> BankError {
        var error = error
        error.reason += "; the site's own page may take the response"
        error.kind = .unreachable(obstacle, answerByHand: .text(BankText(response), message: nil))
        return error
    }

    func revokeConnection() async throws {
        throw BankError(.refused, "the site has no message for the end of a connection")
    }

    /// Does nothing: only the first login shows whether the account works.
    func prove() async throws {}

    // MARK: The challenge

    private func ocra(_ challenge: TiqrChallenge) throws(BankError) -> OCRA {
        let suite = try OCRASuite(tiqr: state.suite)
        do {
            return try OCRA(
                suite, question: challenge.question.untrusted, digitsAreHexadecimal: challenge.version >= 2,
                session: challenge.sessionKey.untrusted)
        } catch {
            throw BankError(
                .actionRefused,
                error == .badSession
                    ? "the link's session is not what this account answers to"
                    : "the link's question is not what this account answers to")
        }
    }

    /// The challenge as a person sees it. Its fingerprint covers the link's content and the account, but not when the
    /// link came.
    private func authorization(_ id: BankID, _ waiting: TiqrChallenges.Waiting) throws -> Authorization {
        let challenge = waiting.challenge
        var fields = [
            LabelledText(key: "account", value: connection.account ?? BankText(""), label: "Account"),
            LabelledText(key: "identifier", value: BankText(connection.id.text), label: "Identifier"),
            LabelledText(
                key: "came_by",
                value: BankText(waiting.isClicked ? "a link that was clicked" : "a link that was pasted"),
                label: "Came by"),
            LabelledText(key: "came_at", value: BankText(Timestamp.format(waiting.receivedAt)), label: "Came at"),
        ]
        if let site = challenge.site, site != connection.bankName,
            site.untrusted != state.service
        {
            fields.append(LabelledText(key: "claimed_site", value: site, label: "Claims to be for"))
        }
        if let page = challenge.returnTo {
            fields.append(LabelledText(key: "return_to", value: page, label: "Leads back to"))
        }
        var parts = [
            AuthorizationContent.Part.extra(fields),
            .text(
                BankText(
                    "This came by a link, which nobody signed: whoever made it may be logging in as you. Approve only a login that you began yourself."
                )),
        ]
        if let warning { parts.append(.text(BankText(warning))) }
        let source = try Source(
            service: state.service, account: connection.id.text,
            session: challenge.sessionKey.untrusted, question: challenge.question.untrusted,
            version: challenge.version, suite: state.suite,
            site: challenge.site?.untrusted, returnTo: challenge.returnTo?.untrusted
        ).text
        return Authorization(
            connection: connection.guid, id: id, status: .pending,
            title: BankText("Log in to " + connection.bankName.untrusted), content: AuthorizationContent(parts: parts),
            source: BankText(source), code: nil, createdAt: waiting.receivedAt, expiresAt: waiting.expiresAt,
            fingerprint: try Array(source.utf8).withUnsafeBytes {
                try Fingerprint(connection: connection.guid.text, id: id.text, plaintext: $0)
            },
            isDenialTold: false, caution: caution)
    }

    /// The warning for an account that is doubtful or blocked, or whose reconnect was not answered.
    private var warning: String? {
        let left =
            state.attemptsLeft.map { left in
                let time = state.attemptsLeftAt.map { " at " + Timestamp.format($0) } ?? ""
                return "; \(left) attempt\(left == 1 ? "" : "s") left there\(time)"
            } ?? ""
        switch connection.status {
        case .doubtful:
            return
                "Warning: the site did not accept this account's last response\(left). A wrong one may block the account."
        case .blocked: return "Warning: the site blocked this account. It may take no response."
        case .unconfirmed where !connection.replaced.isEmpty:
            return
                "The site did not answer when this account was connected again. If it does not accept this response, the next login uses the earlier secret."
        case .active, .unconfirmed, .inactive: return nil
        }
    }

    /// While the site has not confirmed a new secret, the caution of the earlier one holds.
    private var caution: Caution? {
        guard let doubtful = (connection.replaced + [connection]).last(where: { $0.status == .doubtful }) else {
            return nil
        }
        return doubtful.tiqr?.attemptsLeft == 1 ? .lastAttempt : .mayBlock
    }

    /// Everything that the link says, and the account that answers it.
    private struct Source: Encodable {
        var service: String
        var account: String
        var session: String
        var question: String
        var version: Int
        var suite: String
        var site: String?
        var returnTo: String?

        /// JSON with sorted members, so that equal content gives equal text.
        var text: String {
            get throws {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                return String(decoding: try encoder.encode(self), as: UTF8.self)
            }
        }
    }
}
