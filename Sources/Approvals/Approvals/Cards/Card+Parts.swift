import Display

extension Card {
    /// The whole card in parts, for a window that draws each at a place of its own. Read in order, they say the same as `lines`: none is
    /// cut, and no line is broken but where the bank broke it.
    package struct Parts: Sendable, Equatable {
        package enum Section: Sendable, Equatable {
            case text(String)
            case fields([Value])
        }

        package struct Value: Sendable, Equatable {
            /// The wire name, such as `amount` or `payee`; else anything.
            package let key: String
            package let label: String
            package let value: String
        }

        package let title: String
        package let sections: [Section]
        /// The words above the options; nil if there is nothing to choose.
        package let optionsHeadline: String?
        package let options: [String]
        package let bank: String
        package let host: String
        package let warnings: [String]
        /// Nil while it is pending.
        package let status: String?
        package let fingerprint: String
    }

    /// The title of `parts`, without the work for the rest.
    package var titleText: String { Self.spaced(title.line) }
    /// The bank's name of `parts`.
    package var bankText: String { bank.isBlank ? Self.nameless : bank.line }

    package var parts: Parts {
        Parts(
            title: titleText,
            sections: sections.map { section in
                switch section {
                case .text(let text): .text(Self.spaced(text))
                case .fields(let fields):
                    .fields(fields.map { .init(key: $0.key, label: $0.label, value: TextLines.one($0.value)) })
                }
            },
            optionsHeadline: options == nil ? nil : optionsHeadline,
            options: (options ?? []).map(Self.spaced),
            bank: bankText, host: host.line, warnings: warnings,
            status: isPending ? nil : "status " + status.line, fingerprint: "fingerprint " + fingerprint.short)
    }

    /// Each line with its indentation, as far as `lines` keeps it, and with its other runs of blanks written out.
    private static func spaced(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let words = line.drop { $0 == " " }
            let indentation = min(line.count - words.count, mostIndentation)
            return words.isEmpty ? "" : String(repeating: " ", count: indentation) + TextLines.unbroken(words)
        }.joined(separator: "\n")
    }

    private static let mostIndentation = 39
}
