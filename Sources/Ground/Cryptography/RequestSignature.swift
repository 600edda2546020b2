/// The signature of a v1 request (saltedge-v1 section 6.1).
package enum RequestSignature {
    /// The bytes to sign: method in lower case, URL, expiry and body, joined by vertical bars; the bar stays before an
    /// empty body. Sign the very URL and body that are sent.
    package static func bytesToSign(method: String, url: String, expiresAt: Int, body: [UInt8]) -> [UInt8] {
        Array("\(method.lowercased())|\(url)|\(expiresAt)|".utf8) + body
    }
}
