import Basics
import ApprovalModel
import Web

/// Sending the secret of a new account (tiqr sections 4.3 and 4.4).
extension TiqrService {
    /// The site accepts a secret once, so repeating the call would not show whether the first one succeeded.
    var confirmsByUse: Bool { true }

    var isConfirmed: Bool { state.enrollment == nil }

    func confirm() async throws -> ProviderState {
        guard let address = state.enrollment.flatMap({ try? WebAddress($0) }) else {
            throw BankError(.refused, "it is not known where the site takes the account's secret")
        }
        // The HTTP client's body is ordinary memory, so a copy of the secret lives there during the call.
        let digits = secret.withBytes { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        let answer = try await provider.transport.ask(
            Call(
                tiqr: "POST", address,
                form: [
                    "operation": "register", "secret": digits, "language": provider.language, "version": "2",
                ]))
        try demandSuccess(answer)
        return try connection.state.changed(TiqrState.self) { $0.enrollment = nil }
    }

    private func demandSuccess(_ answer: Answer) throws(BankError) {
        let reply = try TiqrReply(answer.body)
        let isGood = (200...299).contains(answer.status)
        if reply.meaning == .accepted, isGood { return }
        guard reply.meaning != .accepted, answer.status < 500 else {
            throw BankError(
                .noAnswer, "the site's answer does not say whether it took the account", status: answer.status)
        }
        // A site that accepts only certain programs says so in a plain sentence, with status 406.
        let sentence = String(decoding: answer.body.prefix(2048), as: UTF8.self)
        let words = answer.status == 406 && !sentence.contains("<") ? BankText(sentence) : reply.message
        throw BankError(
            .refused, "the site did not take the account; to try again, ask its page for a new link",
            bankMessage: words,
            status: answer.status)
    }
}
