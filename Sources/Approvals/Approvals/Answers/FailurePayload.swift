public import Basics

/// A failure as JSON, `{"error":{…}}`: on standard output with `--json`, and as an agent's answer.
public struct FailurePayload: Codable, Sendable, Equatable {
    public struct Content: Codable, Sendable, Equatable {
        public var kind: Failure.Kind
        public var message: String
        @OrNull public var hint: String?
        public var exitCode: Int32

        public var failure: Failure { Failure(kind, message, hint: hint) }
    }

    public var error: Content

    public init(_ failure: Failure) {
        error = Content(
            kind: failure.kind, message: failure.message, hint: failure.hint, exitCode: failure.exitCode)
    }
}
