/// A fault that a test has asked for in the next calls.
struct Fault: Sendable {
    /// `authorizations.list`, `connections.create`, ... or `*` for any.
    var operation: String
    /// Only for this bank's code; `nil` for any.
    var bank: String?
    /// How many more calls it applies to.
    var times: Int
    var status: Int?
    var errorClass: String?
    var errorMessage: String?
    /// Sent instead of an error object.
    var body: String?
    var contentType: String?
    var headers: [String: String]
    var delayMilliseconds: Int
    /// Whether the call takes effect first, so that only its answer is lost.
    var after: Bool
    /// Whether the connection is closed without an answer.
    var drop: Bool

    /// Whether the caller gets something else than the real answer. A fault may also only delay it.
    var replacesAnswer: Bool { drop || status != nil || errorClass != nil || body != nil }
}
