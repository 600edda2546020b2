import Basics
import SessionModel
import Web

extension Call {
    /// The largest answer of an issuer, in bytes.
    static let issuerLimit = 256 << 10

    /// Asks for a document.
    static func document(_ address: WebAddress) -> Call {
        Call(
            method: "GET", address: address, headers: [("Accept", "application/json"), ("User-Agent", UserAgent.text)],
            limit: issuerLimit)
    }

    /// Posts a form.
    static func form(_ address: WebAddress, _ form: Form, headers: [(String, String)] = []) -> Call {
        posted(address, Array(form.text.utf8), "application/x-www-form-urlencoded", headers)
    }

    /// Posts a form to a token endpoint. Gives up waiting early enough that a resend falls within the issuers' grace times.
    static func token(_ address: WebAddress, _ form: Form, headers: [(String, String)]) -> Call {
        var call = Call.form(address, form, headers: headers)
        call.pace = .quick
        return call
    }

    static func posted(
        _ address: WebAddress, _ body: [UInt8], _ type: String, _ headers: [(String, String)] = []
    ) -> Call {
        let usual = [("Accept", "application/json"), ("Content-Type", type), ("User-Agent", UserAgent.text)]
        return Call(method: "POST", address: address, headers: usual + headers, body: body, limit: issuerLimit)
    }
}

/// Names and values, in order.
struct Form {
    private(set) var text = ""

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        text += (text.isEmpty ? "" : "&") + name + "=" + URLText.encode(value)
    }

    mutating func add(_ resources: [ResourceIndicator], as parameter: IssuerExtras.ResourceParameter) {
        for resource in resources { add(parameter.rawValue, resource.text) }
    }

    mutating func add(_ name: String, _ secret: any Secret) {
        add(name, secret.withBytes { String(decoding: $0, as: UTF8.self) })
    }
}

extension JSON {
    /// Parses an object. Nil for anything else, or if a name occurs twice: parsers disagree on the meaning of that.
    static func object(in bytes: [UInt8]) -> JSON? {
        guard let value = JSON(bytes), let members = value.members, !members.isAmbiguous else { return nil }
        return value
    }
}

extension Answer {
    /// The body, where it is a JSON object.
    var object: JSON? { JSON.object(in: body) }
}

extension IssuerError {
    /// For a call that changes nothing or may be repeated, and got no complete answer.
    init(_ error: CallError) { self = .unreachable(reason: error.reason, obstacle: error.obstacle) }
}

extension Transport {
    /// Sends a call that may be made again.
    func ask(_ call: Call) async throws(IssuerError) -> Answer {
        do {
            return try await send(call)
        } catch {
            throw IssuerError(error)
        }
    }
}
