package import ApprovalModel
package import Approvals

extension Card {
    /// Whether the bank learns why the person denies, in a sentence.
    package func words(on reason: DenialReason) -> String {
        denialReasons.contains(reason) ? "The bank learns that it was not you." : "T\(Self.untold.dropFirst())."
    }

    package static let untold = "the bank takes no reason, so it is not told why"
}
