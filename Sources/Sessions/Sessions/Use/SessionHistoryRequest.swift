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
        self.init(
            since: try query.time(.since), limit: try query.count(.limit), isVerified: try query.flag(.verify) ?? false)
    }

    package func write(to query: inout VerbQuery<Name>) {
        query[.since] = since?.text
        query[.limit] = limit.map { String($0) }
        query.set(.verify, to: isVerified)
    }
}
