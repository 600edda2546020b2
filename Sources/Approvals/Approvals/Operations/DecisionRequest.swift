package import ApprovalModel
package import Basics

/// A decision that the person asks for.
package struct DecisionRequest: Sendable, Equatable {
    /// The whole reference, `NAME:ID`.
    package var ref: String
    /// The fingerprint of the shown content; no other content is decided.
    package var fingerprint: Fingerprint
    /// The person's position; nil for the connection's position in the settings.
    package var position: Geolocation?
    /// Whether to wait for the bank's final answer.
    package var waits: Bool
    /// For an approval that is a choice: one of the card's options.
    package var option: String?
    /// For a denial: why. It is sent if the bank accepts it.
    package var reason: DenialReason?

    package init(
        ref: String, fingerprint: Fingerprint, position: Geolocation?, waits: Bool, option: String? = nil,
        reason: DenialReason? = nil
    ) {
        self.ref = ref
        self.fingerprint = fingerprint
        self.position = position
        self.waits = waits
        self.option = option
        self.reason = reason
    }
}
