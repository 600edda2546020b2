extension Screen {
    package struct SignIns: Sendable, Equatable {
        package struct Row: Sendable, Equatable {
            /// Of the session.
            package let name: String
            package let title: String
            package let host: String
            package let state: String
        }

        /// A site or a program that gets tokens.
        package struct Site: Sendable, Equatable {
            package let id: String
            package let name: String
            package let words: String
        }

        package let rows: [Row]
        package let sites: [Site]
        package let trouble: Trouble?
        package let isLoaded: Bool

        init(rows: [Row] = [], sites: [Site] = [], trouble: Trouble? = nil, isLoaded: Bool) {
            (self.rows, self.sites, self.trouble, self.isLoaded) = (rows, sites, trouble, isLoaded)
        }
    }

    /// One session.
    package struct SessionPage: Sendable, Equatable {
        package let name: String
        package let headline: String
        package let host: String
        package let profile: [AskPage.Line]
        package let services: [SignIns.Site]
        package let sites: [SignIns.Site]
        package let programs: [SignIns.Site]
        package let isKept: Bool
        package let trouble: Trouble?
        package let isBusy: Bool
    }

    package struct Programs: Sendable, Equatable {
        /// A program that asks now.
        package struct Asking: Sendable, Equatable {
            package let id: String
            package let name: String
            package let facts: [AskPage.Line]
        }

        /// A program that may have tokens.
        package struct Grant: Sendable, Equatable {
            package let id: String
            package let name: String
            package let words: String
        }

        package let asking: [Asking]
        package let grants: [Grant]
        package let trouble: Trouble?
        package let isLoaded: Bool
    }
}
