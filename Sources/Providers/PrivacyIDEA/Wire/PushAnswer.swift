import Basics
import ApprovalModel
import Web

/// An answer of the server, read as the protocol says (privacyidea-push section 3). The HTTP status decides, because
/// administrators may hide the code and text of every error.
struct PushAnswer {
    let answer: Answer
    private let body: JSON?

    init(_ answer: Answer) {
        self.answer = answer
        body = JSON(answer.body, keepingFaults: true)
    }

    /// `result.value` of a successful answer; nil for any other.
    var value: JSON? {
        guard answer.status == 200, body?["result"]?["status"]?.isTrue == true else { return nil }
        return body?["result"]?["value"]
    }

    var detail: JSON? { body?["detail"] }

    /// The error for an answer that the protocol does not know.
    var malformed: BankError { error(.malformedAnswer, "the answer does not come from privacyIDEA") }

    /// The error for an answer that reports a failure. After a status of 500 or more, the server may have acted all the
    /// same.
    func refusal(_ reason: String) -> BankError {
        if answer.status >= 500 { return error(.refused, "the server failed (HTTP \(answer.status))") }
        return answer.status < 400 ? malformed : error(.refused, reason)
    }

    func error(_ kind: BankError.Kind, _ reason: String) -> BankError {
        BankError(
            kind, reason, bankMessage: body?["result"]?["error"]?["message"]?.text.map(BankText.init),
            status: answer.status, bankTime: answer.serverTime, retryAfter: answer.retryAfter)
    }
}

extension Call {
    private static func headers(_ more: [(String, String)]) -> [(String, String)] {
        [("Accept", "application/json"), ("User-Agent", UserAgent.text)] + more
    }

    /// A GET with `fields` appended to the address's own query. Nil if the result is not a valid address.
    static func question(_ address: WebAddress, _ fields: KeyValuePairs<String, String>) -> Call? {
        let query = [address.query ?? "", Form.text(fields)].filter { !$0.isEmpty }.joined(separator: "&")
        guard let whole = try? WebAddress(address.origin + address.path + "?" + query) else { return nil }
        return Call(method: "GET", address: whole, headers: headers([]))
    }

    /// A POST with these fields as its form.
    static func posted(_ address: WebAddress, _ fields: KeyValuePairs<String, String>) -> Call {
        Call(
            method: "POST", address: address, headers: headers([Form.header]), body: Form.body(fields),
            limit: 64 << 10)
    }
}

extension Transport {
    /// Sends one call. Throws `BankError` if no whole answer came.
    func asking(_ call: Call) async throws(BankError) -> PushAnswer {
        do {
            return PushAnswer(try await send(call))
        } catch {
            throw BankError(error)
        }
    }
}
