public import Basics
import FoundationEssentials
import Web

extension OAuthService {
    /// How many seconds an issuer's clock is ahead of ours, by its answer to one request for its document. Nil where it does not answer, or
    /// does not tell its time.
    public func clockOffset(of issuer: WebAddress) async -> Double? {
        guard let place = Self.places(of: issuer.base).first, let answer = try? await transport.send(.document(place))
        else { return nil }
        return answer.serverTime?.timeIntervalSince(now())
    }
}
