package import Basics
import FoundationEssentials
import Keys
import SessionModel

/// The page of an issuer that signs a browser out there (OpenID Connect RP-Initiated Logout 1.0 section 2). No return address is
/// registered, so the page gets neither a return address nor a `state`.
package struct SignOutPage: Sendable {
    /// Without secrets. The issuer may ask which account to sign out.
    package let bare: WebAddress
    private let idToken: SecretSlot?

    /// Longer addresses are refused by servers and browsers.
    private static let longest = 7000

    /// Nil if the issuer has no such page. Only an expired ID token goes into an address: a browser keeps addresses in its
    /// history, and some services take an ID token until it runs out.
    init?(_ session: SignIn, idToken: SecretSlot?, at now: Date) {
        guard let endpoint = session.issuer.endSessionEndpoint,
            let bare = endpoint.adding("client_id", session.client.id.untrusted)
        else { return nil }
        self.bare = bare
        self.idToken = idToken.flatMap { token in
            IDTokenTimes(token).flatMap { $0.expiresAt < now.timeIntervalSince1970 - 300 ? token : nil }
        }
    }

    /// With the ID token, which names the person to the issuer. Only for a browser: never show it, log it, or give it
    /// to a program as an argument. Nil if there is no expired ID token, or if the address would be too long.
    package var whole: WebAddress? {
        guard let token = idToken?.secret, bare.text.utf8.count + token.count < Self.longest else { return nil }
        return bare.adding("id_token_hint", token.withBytes { String(decoding: $0, as: UTF8.self) })
    }
}

extension WebAddress {
    /// The address with one more parameter; nil if the result is not an address.
    fileprivate func adding(_ name: String, _ value: String) -> WebAddress? {
        try? WebAddress(text + (query == nil ? "?" : "&") + name + "=" + URLText.encode(value))
    }
}
