package import Basics
package import Verbs

/// Which notes of the log are wanted.
package struct SessionHistoryRequest: QueryInput, Equatable {
    /// Nil for all.
    package var since: Timestamp?
    /// Only the newest; nil for all.
    package var limit: Int?
    /// Whether the caller judges a broken log: then the answer has the readable part of it.
    package var isVerified: Bool

    package enum Name: String, CaseIterable, Sendable { case since, limit, verify }

    package init(since: Timestamp? = nil, limit: Int? = nil, isVerified: Bool = false) {
        self.since = since
        self.limit = limit
        self.isVerified = isVerified
    }

    package init(_ query: VerbQuery<Name>) throws {
        let since = try query[.since].map { text in
            guard let since = Timestamp(text) else {
                throw Failure.usage("since is not a time", hint: "ISO 8601, for example: 2030-01-31T12:00:00Z")
            }
            return since
        }
        let limit = try query[.limit].map { text in
            guard text.utf8.count <= 9, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
                let limit = Int(text)
            else { throw Failure.usage("limit is not a number") }
            return limit
        }
        self.init(since: since, limit: limit, isVerified: try query.flag(.verify) ?? false)
    }

    package func write(to query: inout VerbQuery<Name>) {
        query[.since] = since?.text
        query[.limit] = limit.map { String($0) }
        query.set(.verify, to: isVerified)
    }
}
