import Basics
import FoundationEssentials
import ApprovalModel
import Web

/// Interprets a site's answer to a decision, also about the account.
extension TiqrService {
    /// Translates the site's answer into an outcome and the account's standing.
    func judge(_ answer: Answer, to id: BankID) throws(BankError) -> DecisionAnswer {
        let reply = try TiqrReply(answer.body)
        guard reply.meaning != .foreign || (answer.status != 429 && answer.status < 500) else {
            throw BankError(
                .noAnswer, "the site failed or is overloaded (HTTP \(answer.status))", status: answer.status,
                retryAfter: answer.retryAfter)
        }
        var error: BankError
        switch reply.meaning {
        case .accepted:
            return DecisionAnswer(
                .confirmed, standing: standing(.active) { $0.take(attemptsLeft: nil, blockedUntil: nil, at: $1) })
        case .wrongResponse(let left): error = wrongResponse(left, id)
        case .unknownChallenge:
            error = answered(
                .actionRefused,
                "too late: the site does not know this challenge, or no longer; start the login again in the browser")
        case .blocked(let minutes): error = blocked(minutes)
        case .unknownUser:
            error = answered(.refused, "the site does not know this account, or asked for another")
        case .badRequest: error = answered(.refused, "the site found the request malformed")
        case .unexplained where isOfEduID: error = unexplained()
        case .unexplained, .error, .foreign:
            error = answered(.refused, "the site refused; start the login again in the browser")
        }
        error.bankMessage = reply.message
        throw error
    }

    /// We make no response without the right PIN, so the same response would be refused again and cost another attempt.
    private func wrongResponse(_ left: Int?, _ id: BankID) -> BankError {
        let attempts = left.map { " (\($0) attempt\($0 == 1 ? "" : "s") left there)" } ?? ""
        let reason =
            connection.replaced.isEmpty
            ? "this account's response\(attempts); another device may have taken it over"
            : "the response of the new secret\(attempts); the next login uses the earlier secret, which is kept"
        var error = BankError(left == 0 ? .blocked : .doubtful, "the site does not accept " + reason)
        let refused = (state.refused + [id.text]).suffix(8)
        error.standing = standing(left == 0 ? .blocked : .doubtful, isResponseWrong: true) {
            $0.take(attemptsLeft: left, blockedUntil: nil, at: $1)
            $0.refused = Array(refused)
        }
        return error
    }

    /// A standing after an answer that ends a row of refusals without a reason.
    private func standing(
        _ status: Connection.Status, isResponseWrong: Bool = false,
        _ change: @escaping @Sendable (inout TiqrState, _ now: Date) -> Void
    ) -> Standing {
        let now = provider.now()
        return Standing(status, isResponseWrong: isResponseWrong) { state in
            try state.changed(TiqrState.self) {
                $0.unexplained = 0
                change(&$0, now)
            }
        }
    }

    private func blocked(_ minutes: Int?) -> BankError {
        let end = minutes.map { provider.now().addingTimeInterval(Double($0) * 60) }
        var error = BankError(
            .blocked, "the site blocked this account" + (end.map { " until \(Timestamp.format($0))" } ?? ""))
        error.standing = standing(.blocked) { $0.take(attemptsLeft: nil, blockedUntil: end, at: $1) }
        return error
    }

    /// A refusal that says nothing of how the account stands. It ends a row of those without a reason.
    private func answered(_ kind: BankError.Kind, _ reason: String) -> BankError {
        var error = BankError(kind, reason)
        if state.unexplained > 0 { error.standing = standing(connection.status) { _, _ in } }
        return error
    }

    /// Servers of eduID, and they alone, want this session length spelt out (tiqr section 11).
    private var isOfEduID: Bool { state.suite.uppercased().hasSuffix("-S064") }

    /// Servers of eduID refuse everything in the same word: one refusal says nothing of the account, two in a row do.
    private func unexplained() -> BankError {
        var error = BankError(
            .refused, "the site refused without a reason; start the login again in the browser, which also ends a pause"
        )
        let count = state.unexplained + 1
        let isDoubtful = count > 1 && (connection.status == .active || !connection.replaced.isEmpty)
        // As the standing of the connection that is used from now on, if that is another one.
        let (left, end, now) = (state.attemptsLeft, state.blockedUntil, provider.now())
        error.standing = Standing(isDoubtful ? .doubtful : connection.status, isResponseWrong: isDoubtful) { state in
            try state.changed(TiqrState.self) {
                $0.take(attemptsLeft: left, blockedUntil: end, at: now)
                $0.unexplained = min(count, 2)
            }
        }
        return error
    }
}
