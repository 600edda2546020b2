public import Basics
import FoundationEssentials

/// The page of an issuer that signs a browser out there (OpenID Connect RP-Initiated Logout 1.0 section 2). No address is registered that
/// the page could lead back to, so none is named, and no `state`.
public struct SignOutPage: Sendable {
    /// Without anything secret. The issuer may ask who is meant.
    public let bare: WebAddress
    private let idToken: SecretSlot?

    /// Longer addresses are refused by servers and browsers.
    private static let longest = 7000

    /// Nil where the issuer has no such page. Only an ID token that has run out goes into an address: a browser that is started for it has
    /// the address as an argument, which every user of the computer can read, and some services take an ID token until it runs out.
    init?(_ session: SignIn, idToken: SecretSlot?, at now: Date) {
        guard let endpoint = session.issuer.endSessionEndpoint,
            let bare = endpoint.adding("client_id", session.client.id.untrusted)
        else { return nil }
        self.bare = bare
        self.idToken = idToken.flatMap { token in
            IDTokenTimes(token).flatMap { $0.expiresAt < now.timeIntervalSince1970 - 300 ? token : nil }
        }
    }

    /// With the ID token, by which the issuer knows who is meant: for a browser alone, never to be shown, logged, or given to a program as an
    /// argument. Nil where there is none that has run out, or it is too long.
    public var whole: WebAddress? {
        guard let token = idToken?.secret, bare.text.utf8.count + token.count < Self.longest else { return nil }
        return bare.adding("id_token_hint", token.withBytes { String(decoding: $0, as: UTF8.self) })
    }
}

extension WebAddress {
    /// The same with one more parameter; nil where that is no address any more.
    fileprivate func adding(_ name: String, _ value: String) -> WebAddress? {
        try? WebAddress(text + (query == nil ? "?" : "&") + name + "=" + URLText.encode(value))
    }
}
