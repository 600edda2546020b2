package import Basics

/// Which requests a site is for.
package enum SiteRule: Sendable, Hashable {
    /// Requests to this address and below it, by whole segments of the path.
    case prefix(WebAddress)
    /// Requests to this host that were answered with a challenge. `subdomains`: to the hosts under it, but not to the host itself.
    case host(String, port: Int?, subdomains: Bool)

    /// Why a text is no rule, in our own words: lower case, no full stop.
    package struct Fault: Error, Sendable, Equatable {
        package var reason: String
    }

    /// Reads an address (`https://api.fern.example/v1`), a host (`api.fern.example`), or a host's subdomains (`.fern.example`).
    package init(reading text: String) throws(Fault) {
        if text.contains("://") {
            let address = try Self.address(text)
            guard address.query == nil, address.fragment == nil else {
                throw Fault(reason: "the prefix of an address has no ? and no #")
            }
            guard let path = ClearPath(address), address.path.split(separator: "/").count <= path.segments.count else {
                throw Fault(reason: "the path has dot segments, or escaped dots, slashes or control characters")
            }
            self = .prefix(address.base)
        } else {
            let subdomains = text.hasPrefix(".")
            let address = try Self.address("https://" + (subdomains ? String(text.dropFirst()) : text))
            guard address.path.isEmpty, address.query == nil, address.fragment == nil else {
                throw Fault(reason: "a host stands without a path; a prefix begins with https://")
            }
            let isNumber = address.host.utf8.last.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
            guard !subdomains || !(isNumber || address.isLoopback) else {
                throw Fault(reason: "only a name has subdomains")
            }
            self = .host(address.host, port: address.port, subdomains: subdomains)
        }
    }

    private static func address(_ text: String) throws(Fault) -> WebAddress {
        do { return try WebAddress(text) } catch { throw Fault(reason: error.reason) }
    }

    /// The text that `init(reading:)` takes. Two rules with the same text are the same.
    package var text: String {
        switch self {
        case .prefix(let address): address.text
        case .host(let host, let port, let subdomains):
            (subdomains ? "." : "") + host + (port.map { ":\($0)" } ?? "")
        }
    }

    /// The address to ask for the resource's description of itself. Nil for a rule of many hosts, and for a host on this computer,
    /// which may speak either scheme.
    package var place: WebAddress? {
        switch self {
        case .prefix(let address): return address
        case .host(_, _, subdomains: true): return nil
        case .host(_, _, subdomains: false):
            guard let address = try? WebAddress("https://" + text), !address.isLoopback else { return nil }
            return address
        }
    }
}

extension SiteRule: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = try SiteRule(reading: try container.decode(String.self))
        } catch let fault as Fault {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: fault.reason)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
