/// The signature of a v2 request: a JWS whose payload, the body, is left out (saltedge-v2 section 4.3, RFC 7515
/// appendix F).
package enum DetachedJWS {
    private static let header = Base64.encodeURL(Array(#"{"alg":"RS256"}"#.utf8))

    /// Signs the very bytes that will be sent. `value` goes into `x-jws-signature`; `signingInput` is the signed text.
    /// Throws the errors of the key.
    package static func sign(
        _ body: [UInt8], with key: any PrivateKey
    ) throws -> (signingInput: [UInt8], value: String) {
        let input = Array("\(header).\(Base64.encodeURL(body))".utf8)
        return (input, "\(header)..\(Base64.encodeURL(try key.sign(input)))")
    }
}
