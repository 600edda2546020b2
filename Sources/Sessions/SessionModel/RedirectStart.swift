import Basics

/// How an address begins that a browser was led to by an issuer's page.
package enum RedirectStart {
    /// All ways to write the redirect address, up to the `?`: a browser puts a slash behind a host, leaves the port 80 of `http` out,
    /// and writes hosts in lower case.
    package static func all(for redirectURI: String) -> [String] {
        guard let address = try? WebAddress(redirectURI) else { return [redirectURI + "?"] }
        var starts = [redirectURI]
        if address.text != redirectURI { starts.append(address.text) }
        if address.path.isEmpty { starts += starts.map { $0 + "/" } }
        return starts.map { $0 + "?" }
    }
}
