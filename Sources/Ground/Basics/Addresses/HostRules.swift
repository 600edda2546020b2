/// Which hosts an address may name (saltedge-v1 section 2.3): names with a dot, IPv4 addresses, and this machine.
enum HostRules {
    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && isIPv4(host))
    }

    /// The host in lower case, a name as punycode. Throws for a text that cannot be the host of a bank.
    static func normalForm(_ host: String) throws(AddressError) -> String {
        if host.hasPrefix("[") {
            guard host == "[::1]" else { throw .foreignIPv6 }
            return host
        }
        var labels: [String] = []
        for label in host.split(separator: ".", omittingEmptySubsequences: false) {
            labels.append(try normalLabel(String(label)))
        }
        let name = labels.joined(separator: ".")
        guard name.utf8.count <= 253 else { throw .longHost }
        // URL parsers read a host as an IPv4 address when its last label is a number. Only the usual form is accepted,
        // since `127.1` and `0x7f.0.0.1` reach loopback, too.
        if let last = labels.last, last.utf8.first.map(isDigit) == true,
            last.utf8.allSatisfy(isDigit) || last.hasPrefix("0x")
        {
            guard isIPv4(name) else { throw .badIPv4 }
            return name
        }
        guard labels.count > 1 || name == "localhost" else { throw .dotlessHost }
        return name
    }

    private static func normalLabel(_ label: String) throws(AddressError) -> String {
        let ascii = label.utf8.allSatisfy { $0 < 0x80 } ? label.lowercased() : try Punycode.label(label)
        guard (1...63).contains(ascii.utf8.count), !ascii.hasPrefix("-"), !ascii.hasSuffix("-"),
            ascii.utf8.allSatisfy({ byte in
                isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            })
        else { throw .badHost }
        return ascii
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Four decimal numbers up to 255, without leading zeros.
    private static func isIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.allSatisfy(isDigit) && UInt8(part) != nil && (part == "0" || !part.hasPrefix("0"))
            }
    }
}
