/// The private-use scheme of this program (RFC 8252 section 7.1). The desktop hands addresses with it to `countersign open`
/// (Share/Install/countersign.desktop.in), and that to the login that waits.
package enum OwnScheme {
    package static let name = "org.countersign"
    /// The redirect address that people register clients with.
    package static let callback = name + ":/callback"

    /// Whether the desktop hands an address to this program. Schemes are compared without case (RFC 3986 section 3.1).
    package static func leads(_ address: String) -> Bool { address.lowercased().hasPrefix(name + ":") }

    /// Whether a client can be registered with this redirect address: spelled as a browser writes it, and without query or
    /// fragment, since the answer is appended there.
    package static func isRedirectAddress(_ text: String) -> Bool {
        text.hasPrefix(name + ":/")
            && text.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
            }
    }
}
