import Basics
import Testing

@testable import SessionModel

/// What is read of `WWW-Authenticate`, by the specifications and as services really send it.
struct ChallengeTests {
    private func one(_ text: String) throws -> Challenge {
        let all = Challenges([text]).all
        #expect(all.count == 1, "\(all)")
        return try #require(all.first)
    }

    @Test(
        arguments: [
            ("Bearer", ["bearer"]), ("Basic, Bearer", ["basic", "bearer"]),
            (#"Basic realm="a, Bearer b", Bearer scope="x y""#, ["basic", "bearer"]),
            ("Negotiate YIIJvwYGKw==, Bearer", ["negotiate", "bearer"]),
            ("Negotiate a/b+c=, NTLM", ["negotiate", "ntlm"]),
            ("NTLM TlRM/AB, Basic realm=x", ["ntlm", "basic"]), (",, Bearer ,", ["bearer"]),
            ("WWW-Authenticate: Bearer realm=x", ["bearer"]),
            (#"Digest realm="a", qop="auth, auth-int", nonce=b"#, ["digest"]),
            (#"DPoP algs="ES256 RS256""#, ["dpop"]), ("", []), (#""quoted, Bearer", Basic"#, ["basic"]),
            (#"Bearer error="open, Basic"#, ["bearer"]), ("=x, Basic", ["basic"]),
            ("Bearer error_description=The token expired, Basic", ["bearer", "basic"]),
            (#"Bearer realm="a"junk, Basic"#, ["bearer", "basic"]), ("Bearer realm=a Basic", ["bearer"]),
        ] as [(String, [String])])
    func schemes(_ row: (text: String, schemes: [String])) {
        #expect(Challenges([row.text]).all.map(\.scheme) == row.schemes)
    }

    @Test(
        arguments: [
            (#"Bearer resource_metadata="https://a.example/x""#, "https://a.example/x"),
            (#"Bearer realm="a, resource_metadata=b", resource_metadata=https://a.example/y"#, "https://a.example/y"),
            (
                #"Bearer realm="a\" resource_metadata=b", resource_metadata="https://a.example/\z""#,
                "https://a.example/z"
            ),
            (#"Bearer RESOURCE_METADATA = "https://a.example""#, "https://a.example"),
            (#"Bearer xresource_metadata="https://a.example""#, nil), (#"Bearer resource_metadata="https://open"#, nil),
            ("Bearer", nil), ("Bearer resource_metadata=ftp://a.example", nil),
            // Twice: nobody knows which one counts.
            ("Bearer resource_metadata=https://a.example, resource_metadata=https://b.example", nil),
        ] as [(String, String?)])
    func metadata(_ row: (text: String, address: String?)) throws {
        #expect(try one(row.text).metadata?.text == row.address)
    }

    /// The whole of what a service may want.
    @Test func everyParameter() throws {
        let text = """
            Bearer realm="Fern", error="insufficient_user_authentication", error_description="sign in again", \
            acr_values="gold  silver", max_age=300, scope="b a"
            """
        let challenge = try one(text)
        #expect(challenge.isBearer && challenge.realm?.untrusted == "Fern")
        #expect(challenge.complaint == .insufficientUserAuthentication)
        #expect(challenge.acrValues == ["gold", "silver"] && challenge.maxAge == 300)
        #expect(challenge.scopes == Scopes("a b"))
    }

    @Test(
        arguments: [
            ("Bearer error=invalid_token", .invalidToken, true),
            (#"bearer error="insufficient_scope""#, .insufficientScope, true),
            // Words of their own, a small letter, and no scheme: all seen at real issuers.
            (#"bearer error="missing_authorization""#, nil, true),
            (#"error=invalid_request,error_description="No access token found""#, nil, true),
            (#"error="invalid_token""#, .invalidToken, true), ("realm=x", nil, false),
            // Words without quotes, and parameters without commas between them.
            ("Bearer error_description=The token expired, error=invalid_token", .invalidToken, true),
            (#"Bearer realm="x" error="invalid_token""#, .invalidToken, true),
            ("Basic error=invalid_token", .invalidToken, false),
            ("Bearer max_age=-1, scope=\"\"", nil, true),
        ] as [(String, Challenge.Complaint?, Bool)])
    func complaints(_ row: (text: String, complaint: Challenge.Complaint?, isBearer: Bool)) throws {
        let challenge = try one(row.text)
        #expect(challenge.complaint == row.complaint && challenge.isBearer == row.isBearer)
        #expect(challenge.maxAge == nil && challenge.scopes == nil)
    }

    @Test func manyAndLongOnesEnd() {
        #expect(Challenges([String(repeating: "Bearer,", count: 5000)]).all.count == 32)
        #expect(Challenges(Array(repeating: "Bearer", count: 100)).all.count == 32)
        #expect(Challenges([String(repeating: "=", count: 100_000)]).all.isEmpty)
    }
}
