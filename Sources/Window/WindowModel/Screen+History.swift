extension Screen {
    package struct History: Sendable, Equatable {
        package enum State: Sendable, Equatable {
            case loading
            case failed(Trouble)
            case empty
            case listed
        }

        package struct Row: Sendable, Equatable {
            /// Of the log, up to this entry.
            package let hash: String
            package let sign: ResultPage.Sign
            package let title: String
            package let detail: String
        }

        /// Many rows, which are compared by their version alone.
        package struct Rows: Sendable, Equatable {
            package let version: Int
            package let all: [Row]

            package static func == (a: Rows, b: Rows) -> Bool { a.version == b.version }
        }

        package let state: State
        package let isIntact: Bool
        /// Whether the log is whole, in words.
        package let verdict: String
        package let connections: [String]
        /// The connection whose entries are listed; nil for all.
        package let connection: String?
        package let rows: Rows

        init(
            state: State, isIntact: Bool = true, verdict: String = "", connections: [String], connection: String?,
            rows: Rows = Rows(version: 0, all: [])
        ) {
            (self.state, self.isIntact, self.verdict) = (state, isIntact, verdict)
            (self.connections, self.connection, self.rows) = (connections, connection, rows)
        }
    }

    /// One entry of the log, whole.
    package struct HistoryEntry: Sendable, Equatable {
        package let hash: String
        package let sign: ResultPage.Sign
        package let headline: String
        package let time: String
        /// The bank.
        package let place: String
        package let title: String
        /// The content as it was shown; empty where there was none.
        package let text: String
        package let facts: [AskPage.Line]
        package let details: Details?
    }
}

extension Screen.History.Rows {
    package static let none = Self(version: -1, all: [])
}
