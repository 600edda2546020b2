package import Basics

/// Says that the gate has just found the PIN right. Nothing but the gate makes one, so that a change which takes the PIN cannot be
/// written without asking for it: it takes a `ProvedPIN` as its argument.
///
/// One for a decision is bound to the content that was shown, by its fingerprint (saltedge-v1 section 8.4).
package struct ProvedPIN: Sendable {
    private enum Scope: Sendable {
        /// The PIN was entered for something else than a decision.
        case noContent
        case content(Fingerprint)
        /// The fingerprint, or its first digits, that was named before the PIN came from a file.
        case claim(String)
    }

    private let scope: Scope

    private init(_ scope: Scope) { self.scope = scope }

    fileprivate static let noContent = ProvedPIN(.noContent)
    fileprivate static func content(_ fingerprint: Fingerprint) -> ProvedPIN { ProvedPIN(.content(fingerprint)) }
    fileprivate static func claim(_ digits: String) -> ProvedPIN { ProvedPIN(.claim(digits)) }

    /// Whether the PIN was entered for exactly this content.
    package func approves(_ fingerprint: Fingerprint) -> Bool {
        switch scope {
        case .noContent: false
        case .content(let shown): shown == fingerprint
        case .claim(let digits): fingerprint.matches(digits) == true
        }
    }
}

extension PINGate {
    /// Checks the PIN for an action other than a decision. Throws the errors of `open`.
    package func prove(_ pin: any Secret, from source: PINSource) throws -> ProvedPIN {
        _ = try open(with: pin, from: source)
        return .noContent
    }

    /// Checks the PIN that was entered after the content with this fingerprint was shown. Throws the errors of `open`.
    package func prove(_ pin: any Secret, from source: PINSource, for content: Fingerprint) throws -> ProvedPIN {
        _ = try open(with: pin, from: source)
        return .content(content)
    }

    /// Opens the vault. `claim`: the fingerprint, or its first digits, of the only content that the PIN approves; nil
    /// for none. Throws the errors of `open`.
    package func open(
        with pin: any Secret, from source: PINSource, approving claim: String?
    ) throws -> (vault: any OpenVault, proof: ProvedPIN) {
        let vault = try open(with: pin, from: source)
        return (vault, claim.map { .claim($0) } ?? .noContent)
    }
}

/// The PIN for a change that takes one.
package enum EnteredPIN: Sendable {
    /// Not checked yet. The agent checks it.
    case typed(any Secret, from: PINSource)
    /// The gate of this process found it right.
    case proved(ProvedPIN)
}

extension EnteredPIN {
    /// The PIN for a gate that is to check it. Throws a failure of kind `locked` where it was checked here and wiped.
    package func typed() throws -> (secret: any Secret, source: PINSource) {
        guard case .typed(let secret, let source) = self else { throw Failure.needsPIN }
        return (secret, source)
    }
}
