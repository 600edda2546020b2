/// A trouble that a test has ordered for one of the next calls.
struct Fault: Sendable {
    /// `authorizations.list`, `connections.create`, ... or `*` for any.
    var operation: String
    /// Only for this bank's code; `nil` for any.
    var bank: String?
    /// How many calls are still to be troubled.
    var times: Int
    var status: Int?
    var errorClass: String?
    var errorMessage: String?
    /// Sent instead of an error object.
    var body: String?
    var contentType: String?
    var headers: [String: String]
    var delayMilliseconds: Int
    /// The call takes effect first, only its answer is lost.
    var after: Bool
    /// The connection is closed without an answer.
    var drop: Bool

    /// Whether the caller gets something else than the real answer (a fault may also only delay it).
    var replacesAnswer: Bool { drop || status != nil || errorClass != nil || body != nil }
}
