package import Basics

/// Which decisions to list.
package struct HistoryRequest: Sendable, Equatable {
    /// The name of a connection, whose decisions under earlier names are listed too; nil for all.
    package var connection: String?
    /// The earliest time to list.
    package var since: Timestamp?
    /// How many of the newest to list.
    package var limit: Int?
    /// Whether to list a broken log as far as it can be read.
    package var isVerified: Bool
    /// Whether to include each decrypted plaintext.
    package var withSource: Bool

    package init(connection: String?, since: Timestamp?, limit: Int?, isVerified: Bool, withSource: Bool = false) {
        self.connection = connection
        self.since = since
        self.limit = limit
        self.isVerified = isVerified
        self.withSource = withSource
    }
}
