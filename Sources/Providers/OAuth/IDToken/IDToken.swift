import Basics
import FoundationEssentials
import Cryptography
import SessionModel

/// An ID token in its three parts, not verified yet.
struct IDToken: Sendable {
    var algorithm: JWSAlgorithm
    var keyID: String?
    var claims: JSON
    private var signed: [UInt8]
    private var signature: [UInt8]

    /// Reads the compact form (RFC 7515 section 7.1), and judges its header.
    init(_ token: any Secret, _ expected: IDTokenExpectation) throws(IDTokenFault) {
        let text = token.withBytes { Array($0) }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let name = header["alg"]?.text
        else { throw .notAToken }
        guard let algorithm = JWSAlgorithm(rawValue: name) else { throw .badAlgorithm(name) }
        if let listed = expected.issuer.idTokenAlgorithms, !listed.contains(name) { throw .unlistedAlgorithm(name) }
        guard header["crit"] == nil else { throw .critical }
        guard let signature = Self.bytes(parts[2]) else { throw .notAToken }
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        keyID = header["kid"]?.text
        signed = Array(text[..<parts[1].endIndex])
    }

    /// Judges its signature by the keys that may have made it, then its claims.
    func identity(
        _ expected: IDTokenExpectation, accessToken: any Secret, by keys: [IssuerKey]
    ) throws(IDTokenFault) -> Identity {
        guard !keys.isEmpty else { throw .unknownKey }
        guard keys.contains(where: { $0.key.verify(signature, of: signed, algorithm) }) else { throw .badSignature }
        let named = claims["iss"]?.text
        guard let named, expected.issuer.issuer.isNamed(by: named) else {
            throw .otherIssuer(named, wanted: expected.issuer.issuer)
        }
        try judgeAudience(expected)
        guard let subject = claims["sub"]?.text, (1...255).contains(subject.utf8.count) else { throw .noSubject }
        if let wanted = expected.subject, !subject.isSame(as: wanted.untrusted) { throw .otherSubject }
        let now = expected.time.timeIntervalSince1970
        guard let end = claims["exp"]?.number, let start = claims["iat"]?.number else { throw .noTime }
        guard end + IDTokenExpectation.leeway > now else { throw .expired }
        guard start - IDTokenExpectation.leeway <= now else { throw .fromTheFuture }
        guard start + IDTokenExpectation.oldest + IDTokenExpectation.leeway >= now else { throw .tooOld }
        if let nonce = expected.nonce {
            guard let told = claims["nonce"]?.text, let secret = try? told.locked(), secret.equals(nonce) else {
                throw .otherNonce
            }
        }
        let signedIn = claims["auth_time"]?.number
        if let maxAge = expected.maxAge {
            guard let signedIn else { throw .noAuthenticationTime }
            guard signedIn + Double(maxAge) + IDTokenExpectation.leeway >= now else { throw .staleAuthentication }
        }
        let acr = claims["acr"]?.text
        if !expected.acrValues.isEmpty {
            guard let acr, expected.acrValues.contains(where: { $0.isSame(as: acr) }) else { throw .otherStrength }
        }
        if let hash = claims["at_hash"] {
            let bytes = accessToken.withBytes { Array($0) }
            guard let hash = hash.text, hash.isSame(as: Base64.encodeURL(algorithm.leftHalfOfHash(bytes))) else {
                throw .otherAccessToken
            }
        }
        func text(_ name: String) -> BankText? { claims[name]?.text.map(BankText.init) }
        return Identity(
            subject: BankText(subject), name: text("name"), preferredUsername: text("preferred_username"),
            email: text("email"), acr: acr.map(BankText.init), amr: (claims["amr"]?.texts ?? []).map(BankText.init),
            // One issuer writes 0 where it does not know.
            authenticatedAt: signedIn.flatMap { $0 > 0 ? Date(timeIntervalSince1970: $0) : nil })
    }

    /// The client must be in the audience. Others may be, too, if `azp` says that the token was made for the client, and if the person
    /// allows these others.
    private func judgeAudience(_ expected: IDTokenExpectation) throws(IDTokenFault) {
        let client = expected.client.untrusted
        let audience = claims["aud"]?.texts ?? claims["aud"]?.text.map { [$0] } ?? []
        guard audience.contains(where: { $0.isSame(as: client) }) else { throw .otherAudience }
        if let party = claims["azp"], party.text?.isSame(as: client) != true { throw .otherParty }
        let others = audience.filter { !$0.isSame(as: client) }
        guard others.isEmpty || claims["azp"] != nil else { throw .foreignAudience }
        guard let allowed = expected.audiences else { return }
        guard others.allSatisfy({ other in allowed.contains { $0.isSame(as: other) } }) else { throw .foreignAudience }
    }

    private static func object(_ part: ArraySlice<UInt8>) -> JSON? { bytes(part).flatMap(JSON.object(in:)) }

    /// Base64 in the URL alphabet without padding or white space, and nothing else (RFC 7515 section 2).
    private static func bytes(_ part: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: part, as: UTF8.self)
        guard let bytes = Base64.decodeLenient(text), Base64.encodeURL(bytes).isSame(as: text) else { return nil }
        return bytes
    }
}
