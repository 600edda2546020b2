/// Additions that an issuer needs in requests but does not publish; the person supplies them.
package struct IssuerExtras: Sendable, Equatable, Codable {
    /// How requests name a resource: as RFC 8707 has it, or as some issuers did before.
    package enum ResourceParameter: String, Sendable, Codable { case resource, audience }

    package var resourceParameter: ResourceParameter
    /// Sent with each authorization request, besides our own parameters.
    package private(set) var parameters: [String: String]
    /// The other programs that ID tokens may name as their audience; nil for any.
    package var idTokenAudiences: [String]?
    /// The questions that its page must ask at each login.
    package var prompts: [LoginPrompt] {
        get { ownPrompts ?? [] }
        set { ownPrompts = newValue.isEmpty ? nil : newValue }
    }
    // Earlier rows do not have it.
    private var ownPrompts: [LoginPrompt]?
    /// Whether the person wrote down the issuer's metadata, so that nothing is looked up.
    package var isDescribed: Bool

    package static let none = IssuerExtras()

    package init(resourceParameter: ResourceParameter = .resource, isDescribed: Bool = false) {
        self.resourceParameter = resourceParameter
        self.isDescribed = isDescribed
        parameters = [:]
    }

    /// The extras with this parameter added or replaced. Nil if the name is malformed or ours to send, if the value is too long or
    /// has control characters, or if there are more than 32 parameters.
    package func adding(_ name: String, _ value: String) -> IssuerExtras? {
        guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNameByte),
            !Self.ours.contains(name.lowercased()), name != resourceParameter.rawValue,
            value.utf8.count <= 2048, value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { return nil }
        var extras = self
        extras.parameters[name] = value
        return extras.parameters.count <= 32 ? extras : nil
    }

    /// In a steady order.
    package var sortedParameters: [(String, String)] {
        parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Parameters that a request may have only once and that this program sends, or that it must not send.
    private static let ours: Set<String> = [
        "acr_values", "client_assertion", "client_assertion_type", "client_id", "client_secret", "code",
        "code_challenge", "code_challenge_method", "code_verifier", "device_code", "grant_type", "id_token_hint",
        "login_hint", "max_age", "nonce", "prompt", "redirect_uri", "refresh_token", "request", "request_uri",
        "resource",
        "response_mode", "response_type", "scope", "state",
    ]

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
