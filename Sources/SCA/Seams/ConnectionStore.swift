/// Keeps the connections; each row is sealed.
public protocol ConnectionStore: Sendable {
    /// All connections, by name.
    func connections() throws -> [Connection]
    /// Adds one; its name is made free (`-2`, `-3` …) under the state lock. Returns it as stored.
    func add(_ connection: Connection) throws -> Connection
    /// Changes one under the state lock; throws `StoreError.notFound` when it is gone, `nameTaken` when it cannot have the
    /// name.
    @discardableResult
    func update(_ guid: ConnectionGUID, _ change: (inout Connection) throws -> Void) throws -> Connection
    func remove(_ guid: ConnectionGUID) throws
    /// Runs one change of state that goes beyond the store (keys and row together) under the state lock; calls of this
    /// store inside it do not wait for themselves.
    func exclusively<R>(_ change: () throws -> R) throws -> R
}

/// Why a store refused. Equality is by code alone.
public struct StoreError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        private enum Kind { case notFound, nameTaken, alreadyDecided, busy, newerSchema, damaged, unusable }
        private var kind: Kind

        public static let notFound = Code(kind: .notFound)
        public static let nameTaken = Code(kind: .nameTaken)
        /// This very authorization (connection, id, code) has a decision that was sent and may count.
        public static let alreadyDecided = Code(kind: .alreadyDecided)
        /// Another process held the state lock for more than 10 seconds; the reason names its pid.
        public static let busy = Code(kind: .busy)
        /// The database was written by a newer version; it was not touched.
        public static let newerSchema = Code(kind: .newerSchema)
        /// A row or the log does not hold together.
        public static let damaged = Code(kind: .damaged)
        /// The directory or file cannot be used; the reason says why.
        public static let unusable = Code(kind: .unusable)
    }

    public var code: Code
    /// Our own words, safe to show.
    public var reason: String

    /// What to do about it, where that can be said: a command, or a few words.
    public var remedy: String?

    public init(_ code: Code, _ reason: String, remedy: String? = nil) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
