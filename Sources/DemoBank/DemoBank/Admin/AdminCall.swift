import Hummingbird

/// One call of the admin API: the JSON body (an absent one is an empty object), the query, and the names in the path.
struct AdminCall: Sendable {
    let body: JSONValue
    let query: [String: String]
    let context: BankContext

    init(_ request: Request, _ context: BankContext) async throws {
        let bytes = try await request.body.collect(upTo: 32 << 20).readableBytesView
        if bytes.isEmpty {
            body = [:]
        } else if let value = JSONValue(parsing: bytes), value.object != nil {
            body = value
        } else {
            throw AdminError(status: .badRequest, message: "the body is not a JSON object")
        }
        query = URLText.formFields(request.uri.query ?? "")
        self.context = context
    }

    subscript(_ member: String) -> JSONValue? { body[member] }

    func text(_ member: String) throws -> String {
        guard let value = body[member]?.scalarText else { throw AdminError.missing(member) }
        return value
    }

    /// A member that must be a raw value of this type if it is there.
    func word<Word: RawRepresentable>(_ member: String, _ type: Word.Type) throws -> Word?
    where Word.RawValue == String {
        guard let value = body[member] else { return nil }
        guard let text = value.scalarText, let word = Word(rawValue: text) else {
            throw AdminError(status: .badRequest, message: "\(member) has an unknown value")
        }
        return word
    }

    /// The number in the path.
    func pathID() throws -> Int64 {
        guard let id = context.parameters.get("id", as: Int64.self) else {
            throw AdminError(status: .badRequest, message: "the id is not a number")
        }
        return id
    }

    /// The code of the bank that the call names; by default that of the bank at the root.
    var bankCode: String { body["bank"]?.string ?? query["bank"] ?? Bank.defaultCode }
}

/// An answer of the admin API that is not 200: `{"error": message}`.
struct AdminError: Error {
    var status: HTTPResponse.Status
    var message: String

    static func missing(_ member: String) -> AdminError {
        AdminError(status: .badRequest, message: "\(member) is missing or has the wrong type")
    }

    static func notFound(_ what: String) -> AdminError {
        AdminError(status: .notFound, message: "there is no such \(what)")
    }
}
