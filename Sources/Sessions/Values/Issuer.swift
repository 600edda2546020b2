public import Basics

/// An issuer identifier (RFC 8414 section 2): the address that names an authorization server or OpenID provider. It is compared
/// byte for byte (RFC 8414 section 3.3), so its text is kept as it was written: one issuer ends in a slash, another does not.
public struct Issuer: TextValue {
    public let text: String
    /// The identifier as an address, in normal form.
    public let address: WebAddress

    /// Nil for anything but an address that we would call, without query and fragment.
    public init?(_ text: String) {
        guard let address = try? WebAddress(text), address.query == nil, address.fragment == nil else { return nil }
        self.text = text
        self.address = address
    }

    /// The host, with a port that is not the scheme's own; a name in punycode.
    public var host: String { address.hostForPeople }
}
