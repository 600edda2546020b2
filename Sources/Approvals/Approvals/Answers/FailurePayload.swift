package import Basics

/// A failure as JSON, `{"error":{…}}`: on standard output with `--json`, and as an agent's answer.
package struct FailurePayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        package var kind: Failure.Kind
        package var message: String
        @OrNull package var hint: String?
        package var exitCode: Int32

        package var failure: Failure { Failure(kind, message, hint: hint) }
    }

    package var error: Content

    package init(_ failure: Failure) {
        error = Content(
            kind: failure.kind, message: failure.message, hint: failure.hint, exitCode: failure.exitCode)
    }
}
