public import Basics

/// Which decisions to list.
public struct HistoryRequest: Sendable, Equatable {
    /// The name of a connection, whose decisions under earlier names are listed too; nil for all.
    public var connection: String?
    /// The earliest time to list.
    public var since: Timestamp?
    /// How many of the newest to list.
    public var limit: Int?
    /// Whether to list a broken log as far as it can be read.
    public var isVerified: Bool
    /// Whether to include each decrypted plaintext.
    public var withSource: Bool

    public init(connection: String?, since: Timestamp?, limit: Int?, isVerified: Bool, withSource: Bool = false) {
        self.connection = connection
        self.since = since
        self.limit = limit
        self.isVerified = isVerified
        self.withSource = withSource
    }
}
