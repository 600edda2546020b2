/// Rows of one kind that were changed from outside and cannot be read, as answers name them beside the good ones.
package struct DamagedRowsPayload: Codable, Sendable, Equatable {
    /// `damaged`.
    package var kind: Failure.Kind
    package var message: String
    @OrNull package var hint: String?

    /// - Parameters:
    ///   - one: the word for one row, such as "site".
    ///   - many: the word for several rows.
    ///   - remedy: another remedy than restoring a backup.
    package init(_ count: Int, _ one: String, _ many: String, remedy: String) {
        kind = .damaged
        message =
            (count == 1 ? "1 \(one) in the database is" : "\(count) \(many) in the database are")
            + " damaged and left out"
        hint = "restore the home directory from a backup, or \(remedy)"
    }

    /// The text for standard error.
    package var text: String { "error: \(message)" + (hint.map { "\nhint: \($0)" } ?? "") }
}
