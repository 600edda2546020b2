package import Basics

/// A program that asks for tokens, as the agent sees it: by a name for the whole program rather than for one of its
/// processes.
///
/// This keeps honest programs apart. It is no wall between programs of one person, which can run one another and take each other's
/// names.
package struct Program: Sendable, Hashable, Codable, TextValue {
    package enum Kind: String, Sendable, CaseIterable {
        /// A Snap package, by the name in its security label: a program that takes the label on is confined like the package.
        case snap
        /// A Flatpak package, by its id: in grants of earlier versions. No program is found to be one any more, since any program of the
        /// person can make a sandbox with any id.
        case flatpak
        /// A desktop application, by its id.
        case app
        /// A service of the person's own manager, by its unit's name.
        case unit
        /// An executable file, or a script, by its real path.
        case path, script
        /// A program that cannot be identified and runs our command on the person's terminal, if the person wants a
        /// grant for that.
        case terminal
    }

    package let kind: Kind
    /// Comes from the program and is untrusted.
    package let name: BankText

    package init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = BankText(name)
    }

    /// The person's terminal, whichever it is.
    package static let terminal = Program(.terminal, "person")

    /// Whether a program that asks can be found to be this one.
    package var canBeFound: Bool { kind != .flatpak }

    /// `kind:name`.
    package var text: String { "\(kind.rawValue):\(name.untrusted)" }

    /// Reads `kind:name`. Nil for an unknown kind, and where the name is empty or longer than 4 KiB.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])), !parts[1].isEmpty,
            parts[1].utf8.count <= 4096
        else { return nil }
        self.init(kind, String(parts[1]))
    }
}

/// The caller that asks for a token.
package enum TokenAsker: Sendable, Equatable {
    /// The person, at a terminal with our own command. Needs no grant.
    case person
    /// Nil for a program that cannot be identified.
    case program(Program?)
}
