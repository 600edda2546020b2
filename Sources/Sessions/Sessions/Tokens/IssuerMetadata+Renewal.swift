import Basics
import FoundationEssentials
import SessionModel

extension TokenKeeper {
    /// The session with its issuer's present metadata, if the known one is older than a day. A failure to fetch it fails nothing;
    /// then it is tried again after an hour. An issuer that a file describes stays as the file says.
    func upToDate(_ session: SignIn) async -> SignIn {
        let now = clock.now()
        guard !session.extras.isDescribed, now.timeIntervalSince(session.issuer.fetchedAt) > 86400,
            session.issuerAskedAt.map({ now.timeIntervalSince($0) > 3600 }) ?? true
        else { return session }
        let found = try? await service.calling(session.issuer).discover(session.issuer.issuer.address).metadata
        var newer = session
        newer.issuerAskedAt = now
        if let found, found.issuer == session.issuer.issuer { newer.issuer = session.issuer.renewed(by: found) }
        let kept = try? store.update(session.id) { [newer] present, _ in
            (present.issuer, present.issuerAskedAt) = (newer.issuer, newer.issuerAskedAt)
        }
        return kept ?? newer
    }
}

extension IssuerMetadata {
    /// The issuer's newer metadata. Tokens go to no host that the person did not agree to: an address on another host stays as it
    /// was until the next login asks about it, and the token endpoint stays on its own host.
    func renewed(by newer: IssuerMetadata) -> IssuerMetadata {
        let agreed = Set(
            [
                issuer.address, authorizationEndpoint, tokenEndpoint, revocationEndpoint, registrationEndpoint,
                pushedAuthorizationRequestEndpoint, deviceAuthorizationEndpoint, userInfoEndpoint, endSessionEndpoint,
            ].compactMap { $0?.origin })
        func address(_ before: WebAddress?, _ now: WebAddress?) -> WebAddress? {
            guard let now, !agreed.contains(now.origin) else { return now }
            return before
        }
        var next = newer
        next.authorities = authorities
        if newer.tokenEndpoint.origin != tokenEndpoint.origin { next.tokenEndpoint = tokenEndpoint }
        if !agreed.contains(newer.authorizationEndpoint.origin) { next.authorizationEndpoint = authorizationEndpoint }
        next.revocationEndpoint = address(revocationEndpoint, newer.revocationEndpoint)
        next.registrationEndpoint = address(registrationEndpoint, newer.registrationEndpoint)
        next.pushedAuthorizationRequestEndpoint = address(
            pushedAuthorizationRequestEndpoint, newer.pushedAuthorizationRequestEndpoint)
        next.deviceAuthorizationEndpoint = address(deviceAuthorizationEndpoint, newer.deviceAuthorizationEndpoint)
        next.userInfoEndpoint = address(userInfoEndpoint, newer.userInfoEndpoint)
        next.endSessionEndpoint = address(endSessionEndpoint, newer.endSessionEndpoint)
        return next
    }
}
