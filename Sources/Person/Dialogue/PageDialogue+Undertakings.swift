package import Approvals
package import Display
import SessionModel
package import Sessions

extension PageDialogue<ConnectionPayload> {
    /// Connects a bank, or connects it again. `known`: the connections that a new one could be confused with.
    package init(
        enrolling offer: EnrollmentOfferPayload, besides known: [ConnectionPayload], isAgreed: Bool,
        before audience: Audience
    ) {
        self.init(
            .connect(offer, besides: known), isGiven: isAgreed, before: audience,
            Ends(
                declined: EnrollmentError.declined, waitOver: EnrollmentError.waitOver,
                noAddress: EnrollmentError.noAddress))
    }
}

extension PageDialogue<SignedInPayload> {
    /// Signs in at an issuer.
    ///
    /// - Parameters:
    ///   - account: of the session that is signed in to again.
    ///   - secretFile: the file whose secret goes to the issuer, if the person did not name that file.
    package init(
        signingIn offer: LoginOfferPayload, account: DisplayText? = nil, secretFile: String? = nil, isAgreed: Bool,
        before audience: Audience
    ) {
        self.init(
            .signIn(offer, account: account, secretFile: secretFile), isGiven: isAgreed, before: audience,
            Ends(declined: SessionError.declined, waitOver: SessionError.waitOver, noAddress: SessionError.noAddress))
    }
}
