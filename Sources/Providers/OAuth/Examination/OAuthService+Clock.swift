public import Basics
import FoundationEssentials
import Web

extension OAuthService {
    /// Asks once for the issuer's document and returns how many seconds the issuer's clock is ahead of ours. Nil if the issuer does
    /// not answer or does not tell its time.
    public func clockOffset(of issuer: WebAddress) async -> Double? {
        guard let place = Self.places(of: issuer.base).first, let answer = try? await transport.send(.document(place))
        else { return nil }
        return answer.serverTime?.timeIntervalSince(now())
    }
}
