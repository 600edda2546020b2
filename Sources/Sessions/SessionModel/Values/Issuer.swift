package import Basics

/// An issuer identifier (RFC 8414 section 2): the address that names an authorization server or OpenID provider. Its
/// text is kept as received.
///
/// Every comparison of two issuers is `==`: scheme and host without case, the scheme's own port may be left out, and so may the slash
/// behind a host. All else is compared byte for byte (RFC 8414 section 3.3): a slash at the end of a path counts.
package struct Issuer: TextValue {
    package let text: String
    /// The identifier as an address, in normal form.
    package let address: WebAddress

    /// Nil for anything but an address that we would call, without query and fragment.
    package init?(_ text: String) {
        guard let address = try? WebAddress(text), address.query == nil, address.fragment == nil else { return nil }
        self.text = text
        self.address = address
    }

    package static func == (one: Issuer, other: Issuer) -> Bool { one.compared == other.compared }

    package func hash(into hasher: inout Hasher) { hasher.combine(compared) }

    private var compared: String { address.path == "/" ? address.origin : address.text }

    /// Whether a text names this issuer.
    package func isNamed(by text: String) -> Bool { Issuer(text) == self }

    /// Whether an address that a person or a service gave leads to this issuer. Here a slash at the end of a path may differ, too,
    /// since the documents of both names lie at the same place.
    package func isFound(at address: WebAddress) -> Bool { self.address.base == address.base }

    /// The host, with a port that is not the scheme's own; a name in punycode.
    package var host: String { address.hostForPeople }
}
