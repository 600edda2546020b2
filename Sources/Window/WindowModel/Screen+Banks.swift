import Approvals

extension Screen {
    package struct Banks: Sendable, Equatable {
        package struct Row: Sendable, Equatable {
            package let connection: String
            package let bank: String
            package let host: String
            package let since: String
            package let status: Status
        }

        /// Nil before the agent's first answer.
        package let rows: [Row]?
        package let trouble: Trouble?
        /// Words about something that was done.
        package let notice: String?
    }

    /// A state in a word. The sign is only its colour.
    package struct Status: Sendable, Equatable {
        package let word: String
        package let sign: ResultPage.Sign

        package init(word: String, sign: ResultPage.Sign) { (self.word, self.sign) = (word, sign) }
    }

    /// One bank.
    package struct Bank: Sendable, Equatable {
        package struct Consent: Sendable, Equatable {
            package let reference: String
            package let title: String
            package let detail: String
        }

        package let connection: String
        package let bank: String
        package let host: String
        package let status: Status
        /// The meaning of a status other than active, and the next step.
        package let advice: String?
        /// The facts about it: a label and a value each.
        package let facts: [Line]
        package let consents: [Consent]
        /// In place of consents.
        package let noConsents: String?
        package let notice: String?
        package let trouble: Trouble?
        package let isBusy: Bool

        /// Whether it shows the same, apart from what came of an act.
        package func isSame(as other: Bank) -> Bool {
            (connection, bank, host, status, advice) == (
                other.connection, other.bank, other.host, other.status, other.advice
            )
                && (facts, consents, noConsents) == (other.facts, other.consents, other.noConsents)
        }
    }

    /// A label of ours with a value, or a sentence of ours.
    package struct Line: Sendable, Equatable {
        package let label: String?
        package let value: String

        package init(_ label: String?, _ value: String) { (self.label, self.value) = (label, value) }
    }

    /// A question that has the page for itself.
    package struct Asking: Sendable, Equatable {
        package struct Entry: Sendable, Equatable {
            /// Its name for assistive technology.
            package let name: String
            package let text: String
            /// The text without which the answer is none; nil if any text is good.
            package let demanded: String?
        }

        /// Nil where no content may be shown.
        package let tab: Tab?
        /// In the header bar.
        package let title: String
        package let headline: String
        package let lines: [Line]
        package let entry: Entry?
        package let ok: String
        package let isDestructive: Bool
        package let trouble: Trouble?
        package let isBusy: Bool

        /// Whether it asks the same, apart from what came of the answer.
        package func isSame(as other: Asking) -> Bool {
            (title, headline, lines) == (other.title, other.headline, other.lines)
                && (entry, ok, isDestructive) == (other.entry, other.ok, other.isDestructive)
        }
    }

    /// A step of connecting a bank.
    package enum AddBank: Sendable, Equatable {
        /// The three ways to a link.
        case ways(headline: String, Trouble?)
        case paste(Trouble?, isBusy: Bool)
        case working(String)
        case waiting(address: String, isOpened: Bool, Trouble?)
    }
}
