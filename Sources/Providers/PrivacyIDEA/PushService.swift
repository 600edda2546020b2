import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Web

/// One push token, which polls its server with signed requests (privacyidea-push section 6).
struct PushService: BankService {
    let connection: Connection
    let key: any PrivateKey
    let transport: Transport
    let memory: PushMemory
    let now: @Sendable () -> Date

    /// The protocol has no message for the end of a token.
    var tellsEnd: Bool { false }
    /// A server may list an answered request until its time is over.
    var listsAnswered: Bool { true }
    var serial: String { connection.id.text }

    /// The protocol's optional features that this program supports.
    static let capabilities = #"["decline_reason"]"#

    /// Signs these fields, joined by bars: RSASSA-PKCS1-v1_5 with SHA-256, in Base32 (privacyidea-push section 2).
    func signature(of fields: [String]) throws(BankError) -> (text: String, value: String) {
        let text = fields.joined(separator: "|")
        do {
            return (text, Base32.encode(try key.sign(Array(text.utf8))))
        } catch {
            throw BankError(.cryptography, "the request could not be signed")
        }
    }

    // MARK: Polling

    /// More than anybody has waiting.
    private static let mostItems = 50
    /// In seconds. The server accepts 60 s in both directions.
    private static let tolerance = 45.0

    func authorizations() async throws -> AuthorizationList {
        let (items, answer) = try await listed()
        let serverKey = try serverKey()
        var good: [BankID: PushChallenge] = [:]
        var faults: [(BankID?, PushChallenge.Fault)] = []
        var counts: [String: Int] = [:]
        for nonce in items.compactMap({ $0["nonce"]?.text }) { counts[nonce, default: 0] += 1 }
        for item in items.prefix(Self.mostItems) {
            let id = item["nonce"]?.text.flatMap(BankID.init)
            do throws(PushChallenge.Fault) {
                let challenge = try PushChallenge(
                    item, serial: serial, endpoint: connection.baseURL, serverKey: serverKey)
                guard let id else { throw .badNonce }
                guard counts[challenge.signed.nonce] == 1 else { throw .twice }
                good[id] = challenge
            } catch {
                faults.append((id, error))
            }
        }
        let listed = Set(counts.keys.compactMap(BankID.init))
        let answered = memory.answered(among: listed, of: connection.guid)
        let waiting = good.filter { !answered.contains($0.key) }
        let seen = memory.firstSeen(Set(waiting.keys), of: connection.guid, at: now())
        var list = AuthorizationList(
            authorizations: try waiting.map {
                try authorization($0.key, $0.value, seenAt: seen[$0.key], of: waiting.count)
            }
            .sorted { $0.id.text < $1.id.text },
            faults: Self.faults(faults, besides: items.count - Self.mostItems),
            listed: listed.subtracting(answered), bankTime: answer.serverTime,
            receivedAt: answer.receivedAt)
        let offset = memory.offset(of: connection.guid)
        if offset != 0 { list.faults.append(.clock(offset)) }
        return list
    }

    /// One fault for each reason, so that a server with thousands of bad items does not flood the list.
    private static func faults(_ faults: [(BankID?, PushChallenge.Fault)], besides more: Int) -> [ItemFault] {
        let groups = Dictionary(grouping: faults, by: \.1.reason).sorted { $0.key < $1.key }
        let known = groups.map { reason, faults in
            // An item without an id could be any item, so the fault is then of none in particular.
            let ids = faults.compactMap(\.0)
            var fault = ItemFault(
                id: ids.count < faults.count ? nil : ids.first,
                reason: faults.count == 1 ? reason : "\(faults.count) of them: \(reason)")
            fault.alsoIDs = Set(ids)
            return fault
        }
        guard more > 0 else { return known }
        return known + [ItemFault(id: nil, reason: "\(more) more than are taken at once")]
    }

    func authorization(_ id: BankID) async throws -> Authorization {
        let list = try await authorizations()
        if let found = list.authorizations.first(where: { $0.id == id }) { return found }
        guard !list.listed.contains(id) else {
            throw BankError(.malformedAnswer, "the server lists this request in a form that is not accepted")
        }
        throw BankError(.authorizationGone, "the server no longer lists this: answered elsewhere, withdrawn or expired")
    }

    func prove() async throws { _ = try await listed() }

    private func serverKey() throws(BankError) -> RSAPublicKey {
        guard let pem = connection.push.serverKey, let key = try? RSAPublicKey(pem: pem) else {
            throw BankError(.unconfirmed, "the server's key is not known, so that nothing of it can be verified")
        }
        return key
    }

    /// The items that the server lists. If the clocks differ, asks once more by the server's clock.
    private func listed() async throws(BankError) -> (items: [JSON], answer: Answer) {
        let offset = memory.offset(of: connection.guid)
        do {
            return try await ask(offset)
        } catch {
            guard error.status == 400, let bankTime = error.bankTime else { throw error }
            let difference = bankTime.timeIntervalSince(now()) - Double(offset)
            guard abs(difference) > Self.tolerance, let seconds = try ClockCorrection.seconds(told: error, at: now())
            else { throw error }
            memory.learn(seconds, of: connection.guid)
            return try await ask(seconds)
        }
    }

    private func ask(_ offset: Int) async throws(BankError) -> (items: [JSON], answer: Answer) {
        let answer = try await transport.asking(try question(at: now().addingTimeInterval(Double(offset))))
        guard let items = answer.value?.array else { throw refusal(of: answer) }
        memory.accepted(connection.guid)
        if offset != 0, let serverTime = answer.answer.serverTime,
            abs(serverTime.timeIntervalSince(now())) <= Self.tolerance
        {
            memory.learn(0, of: connection.guid)
        }
        return (items, answer.answer)
    }

    /// The poll for waiting requests (privacyidea-push section 6.1). `time` is the server's.
    func question(at time: Date) throws(BankError) -> Call {
        let timestamp = Self.timestamp(time)
        let signed = try signature(of: [serial, timestamp])
        let call = Call.question(
            connection.baseURL,
            [
                "serial": serial, "timestamp": timestamp, "signature": signed.value,
                "capabilities": Self.capabilities,
            ])
        guard var call else { throw BankError(.cryptography, "the server's address has no room for a question") }
        call.pace = .quick
        return call
    }

    /// Translates a refused poll (privacyidea-push sections 3 and 6.4).
    func refusal(of answer: PushAnswer) -> BankError {
        switch answer.answer.status {
        case 400:
            var error = answer.error(
                .notAccepted,
                "the server does not accept this token's questions: deleted there, enrolled again on another device, or its enrollment policy was removed"
            )
            error.pause = memory.refused(connection.guid, at: now())
            return error
        case 403:
            var error = answer.error(.refused, "the server forbids to ask it (polling is not allowed there)")
            error.pause = 86_400
            return error
        default: return answer.refusal("the server refused the question (HTTP \(answer.answer.status))")
        }
    }

    /// Like `2031-02-03T04:05:06.123456Z`.
    static func timestamp(_ time: Date) -> String {
        let seconds = time.timeIntervalSince1970
        let micro = String(Int((seconds - seconds.rounded(.down)) * 1_000_000))
        let fraction = String(repeating: "0", count: max(0, 6 - micro.utf8.count)) + micro
        return Timestamp.format(time).dropLast() + "." + fraction + "Z"
    }

    // MARK: The authorization of a challenge

    private func authorization(
        _ id: BankID, _ challenge: PushChallenge, seenAt: Date?, of waiting: Int
    ) throws -> Authorization {
        let (signed, source) = (challenge.signed, challenge.signed.source)
        let (title, question) = (signed.title, signed.question)
        let isWordless = [title, question].allSatisfy { $0.allSatisfy(\.isWhitespace) }
        let other = challenge.reply.origin == connection.baseURL.origin ? nil : challenge.reply.hostForPeople
        let known = [
            connection.account.map { LabelledText(key: "account", value: $0) },
            LabelledText(key: "serial", value: BankText(serial), label: "Token"),
            other.map { LabelledText(key: "reply_host", value: BankText($0), label: "Answer goes to") },
        ].compactMap { $0 }
        let fingerprint = try Array(source.utf8).withUnsafeBytes {
            try Fingerprint(connection: connection.guid.text, id: id.text, plaintext: $0)
        }
        return Authorization(
            connection: connection.guid, id: id, status: .pending,
            title: BankText(
                title.allSatisfy(\.isWhitespace) ? serial : title),
            content: AuthorizationContent(parts: [
                .text(BankText(isWordless ? "the server sent no text" : question)),
                .known(known),
            ]),
            source: BankText(source), code: nil, createdAt: seenAt, expiresAt: nil, fingerprint: fingerprint,
            options: challenge.options?.map(BankText.init),
            denialReasons: challenge.takesReasons ? Set(DenialReason.allCases) : [], isWordless: isWordless,
            waitingAtOnce: waiting)
    }
}
