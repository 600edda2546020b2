/// The purpose of a token.
package enum TokenKind: String, Sendable, Codable, CaseIterable {
    /// It opens a service.
    case access
    /// It identifies the person (OpenID Connect). Some services, such as Kubernetes, take it in place of an access
    /// token.
    case id
}
