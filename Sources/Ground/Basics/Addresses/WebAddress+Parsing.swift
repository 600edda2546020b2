extension WebAddress {
    /// In bytes, as given and in normal form.
    private static let limit = 8192

    /// Reads an address and brings it into normal form; both may have at most 8 KiB. Throws for anything else.
    package init(_ text: String) throws(AddressError) { try self.init(text, isCalled: true) }

    /// `isCalled`: whether this program may call it; else it may be `http` at any host.
    fileprivate init(_ text: String, isCalled: Bool) throws(AddressError) {
        guard text.utf8.count <= Self.limit else { throw .tooLong }
        guard text.unicodeScalars.allSatisfy({ $0.value > 0x1F && $0.value != 0x7F }) else { throw .controlCharacters }
        guard let colon = text.unicodeScalars.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
            throw .notAbsolute
        }
        let scheme = text[..<colon].lowercased()
        guard scheme == "https" || scheme == "http" else { throw .otherScheme }
        var rest = text[text.index(colon, offsetBy: 3)...].unicodeScalars[...]
        let authority = Self.cut(&rest, before: "/", "?", "#", "\\")
        guard rest.first != "\\" else { throw .backslash }
        let path = Self.cut(&rest, before: "?", "#")
        let query = rest.first == "?" ? Self.cut(&rest, before: "#").dropFirst() : nil
        let fragment = rest.first == "#" ? rest.dropFirst() : nil

        guard !authority.contains("@") else { throw .userInformation }
        var name = authority
        var port: Int?
        if let mark = authority.lastIndex(of: ":"), authority.last != "]" {
            name = authority[..<mark]
            port = try Self.port(authority[authority.index(after: mark)...])
        }
        let host = try HostRules.normalForm(String(name))
        guard scheme == "https" || !isCalled || HostRules.isLoopback(host) else { throw .insecure }
        self.init(
            scheme: scheme, host: host, port: port == (scheme == "https" ? 443 : 80) ? nil : port,
            path: Percent.encodeForeign(path), query: query.map(Percent.encodeForeign),
            fragment: fragment.map(Percent.encodeForeign))
        // Escapes are longer than the characters they stand for. The address is stored in its normal form, which must
        // parse again.
        guard self.text.utf8.count <= Self.limit else { throw .tooLong }
    }

    private typealias Scalars = Substring.UnicodeScalarView

    private static func cut(_ rest: inout Scalars, before stops: Unicode.Scalar...) -> Scalars {
        let end = rest.firstIndex(where: stops.contains) ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    /// Nil for an empty port, which means the default one.
    private static func port(_ digits: Scalars) throws(AddressError) -> Int? {
        if digits.isEmpty { return nil }
        guard digits.count <= 5, digits.allSatisfy({ ("0"..."9").contains($0) }), let port = Int(String(digits)),
            (1...65535).contains(port)
        else { throw .badPort }
        return port
    }
}

/// The address of a page that a browser opens and this program never calls: `https` or `http` at any host, in the
/// normal form of `WebAddress`.
package struct PageAddress: Sendable, Hashable {
    package let text: String

    package init(_ text: String) throws(AddressError) { self.text = try WebAddress(text, isCalled: false).text }

    package init(_ address: WebAddress) { text = address.text }
}
