import Basics
import ApprovalModel
import Web

extension Call {
    /// A call with the headers that every call has (saltedge-v1 section 11).
    init(_ method: String, _ address: WebAddress, body: [UInt8] = [], limit: Int = Limit.single) {
        self.init(
            method: method, address: address,
            headers: [
                ("Accept", "application/json"), ("Accept-Language", "en"), ("User-Agent", UserAgent.text),
                ("Content-Type", "application/json"),
            ],
            body: body, limit: limit)
    }

    /// The same call with the connection's token. Headers of the HTTP client are strings, so a copy of the token
    /// outside of locked memory exists as long as the call.
    func with(token: any Secret) -> Call {
        var call = self
        call.headers.append(("Access-Token", token.withBytes { String(decoding: $0, as: UTF8.self) }))
        return call
    }
}

extension Transport {
    /// Sends one call to a bank. Turns a `CallError` into a `BankError`.
    func ask(_ call: Call) async throws(BankError) -> Answer {
        do {
            return try await send(call)
        } catch {
            throw BankError(error)
        }
    }
}
