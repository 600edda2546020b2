import Basics
import SCACrypto
import Sessions
import Web

/// The keys of issuers, fetched when one is needed (OpenID Connect Discovery 1.0 section 3, `jwks_uri`).
actor KeySets {
    private struct Fetched {
        var keys: [IssuerKey]
        var at: ContinuousClock.Instant
    }

    /// Between two fetches of one key set, since whoever makes a token up can name any key.
    private static let pause = Duration.seconds(300)

    private let transport: Transport
    private var fetched: [WebAddress: Fetched] = [:]

    init(transport: Transport) { self.transport = transport }

    /// Validates an ID token in full. Throws `contradiction` for one that is not right, `unreachable` where the keys cannot be had.
    func validate(
        _ text: any Secret, _ expected: IDTokenExpectation, accessToken: any Secret
    ) async throws(IssuerError) -> Identity {
        switch try await judge(text, expected, accessToken: accessToken) {
        case .success(let identity): return identity
        case .failure(let fault): throw .contradiction(reason: fault.words)
        }
    }

    /// The same, with what is not right as a value. Throws `unreachable` where the keys cannot be had.
    func judge(
        _ text: any Secret, _ expected: IDTokenExpectation, accessToken: any Secret
    ) async throws(IssuerError) -> Result<Identity, IDTokenFault> {
        let token: IDToken
        do throws(IDTokenFault) { token = try IDToken(text, expected) } catch { return .failure(error) }
        let keys = try await keys(for: token, of: expected.issuer)
        return Result { () throws(IDTokenFault) in try token.identity(expected, accessToken: accessToken, by: keys) }
    }

    /// Those that may have signed the token. A key that is not known is looked for once more, since issuers change their keys.
    private func keys(for token: IDToken, of issuer: IssuerMetadata) async throws(IssuerError) -> [IssuerKey] {
        guard let address = issuer.keys else { return [] }
        if let known = fetched[address] {
            let fitting = known.keys.filter { $0.fits(token) }
            if !fitting.isEmpty || known.at + Self.pause > .now { return fitting }
        }
        let answer = try await transport.ask(.document(address))
        guard answer.status == 200, let keys = answer.object.flatMap(IssuerKey.read) else {
            throw .unreachable(reason: "the issuer's keys cannot be had (HTTP \(answer.status))")
        }
        fetched[address] = Fetched(keys: keys, at: .now)
        return keys.filter { $0.fits(token) }
    }
}
