import Basics
import Cryptography
import SessionModel
import Web

/// The keys of issuers, fetched when one is needed (OpenID Connect Discovery 1.0 section 3, `jwks_uri`).
actor KeySets {
    private struct Fetched {
        var keys: [IssuerKey]
        /// Whether the set has more keys than were read.
        var isCut: Bool
        var at: ContinuousClock.Instant
    }

    /// The least time between two fetches of one key set, since a forged token can name any key.
    private static let pause = Duration.seconds(300)
    /// How long a fetched key set is trusted. Without a limit, a withdrawn key would stay good for as long as the agent runs.
    private static let life = Duration.seconds(3600)

    private let transport: Transport
    private let now: @Sendable () -> ContinuousClock.Instant
    private var fetched: [WebAddress: Fetched] = [:]

    init(transport: Transport, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.transport = transport
        self.now = now
    }

    /// Validates an ID token in full. Throws `contradiction` if the token is not right, `unreachable` if the keys cannot be
    /// fetched.
    func validate(
        _ text: any Secret, _ expected: IDTokenExpectation, accessToken: any Secret
    ) async throws(IssuerError) -> Identity {
        switch try await judge(text, expected, accessToken: accessToken) {
        case .success(let identity): return identity
        case .failure(let fault): throw .contradiction(reason: fault.words)
        }
    }

    /// Like `validate`, but returns a fault as a value. Throws `unreachable` if the keys cannot be fetched.
    func judge(
        _ text: any Secret, _ expected: IDTokenExpectation, accessToken: any Secret
    ) async throws(IssuerError) -> Result<Identity, IDTokenFault> {
        let token: IDToken
        do throws(IDTokenFault) { token = try IDToken(text, expected) } catch { return .failure(error) }
        func verdict(_ set: Fetched?) -> Result<Identity, IDTokenFault> {
            let fitting = set?.keys.filter { $0.fits(token) } ?? []
            return Result { () throws(IDTokenFault) in
                guard !fitting.isEmpty || set?.isCut != true else { throw .tooManyKeys }
                return try token.identity(expected, accessToken: accessToken, by: fitting)
            }
        }
        guard let address = expected.issuer.keys else { return verdict(nil) }
        if let known = fetched[address], known.at + Self.life > now() {
            let verdict = verdict(known)
            if known.at + Self.pause > now() || !verdict.mayChange { return verdict }
        }
        return verdict(try await fetch(address))
    }

    private func fetch(_ address: WebAddress) async throws(IssuerError) -> Fetched {
        let answer = try await transport.ask(.document(address))
        guard answer.status == 200, let document = answer.object, let keys = IssuerKey.read(document) else {
            throw .unreachable(reason: "the issuer's keys cannot be had (HTTP \(answer.status))")
        }
        let set = Fetched(keys: keys, isCut: IssuerKey.areTooMany(document), at: now())
        fetched[address] = set
        return set
    }
}

extension Result<Identity, IDTokenFault> {
    /// Whether newer keys may change the verdict: the issuer may have added a key, or reused an older key's name.
    fileprivate var mayChange: Bool {
        switch self {
        case .failure(.unknownKey), .failure(.badSignature), .failure(.tooManyKeys): true
        case .success, .failure: false
        }
    }
}
