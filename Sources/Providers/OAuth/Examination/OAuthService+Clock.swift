package import Basics
import FoundationEssentials
import Web

extension OAuthService {
    /// Asks once for the issuer's document and returns how many seconds the issuer's clock is ahead of ours. Nil if the
    /// issuer does not answer, or answers without a date. `authorities` are trusted as well.
    package func clockOffset(of issuer: WebAddress, trusting authorities: AuthorityBundle? = nil) async -> Double? {
        let transport = authorities.map { service(trusting: $0).transport } ?? transport
        guard let place = Self.places(of: issuer.base).first, let answer = try? await transport.send(.document(place))
        else { return nil }
        return answer.serverTime?.timeIntervalSince(now())
    }
}
