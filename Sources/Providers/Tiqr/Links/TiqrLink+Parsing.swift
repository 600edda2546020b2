import Basics
import ApprovalModel

extension TiqrLink {
    /// The first words of the path of https links.
    private static let (enrollWord, challengeWord) = ("tiqrenroll", "tiqrauth")

    /// Parses a link of one of these families; nil for any other. Refuses challenges older than `oldestVersion`.
    static func parse(
        _ link: LinkText, _ families: [TiqrFamily], oldestVersion: Int
    ) throws(LinkError) -> TiqrLink? {
        guard link.scheme != "https" else {
            return try parse(https: link.text, families, oldestVersion: oldestVersion)
        }
        for family in families {
            if family.enrollSchemes.contains(link.scheme) {
                return .enroll(try TiqrEnroll(try rest(of: link), family, from: nil))
            }
            if family.challengeSchemes.contains(link.scheme) {
                return .challenge(try TiqrChallenge(try rest(of: link), family, oldestVersion))
            }
        }
        return nil
    }

    /// The text after `scheme://`.
    private static func rest(of link: LinkText) throws(LinkError) -> Substring {
        try demandShort(link.text)
        guard let rest = link.text.behind(":")?.dropping(prefix: "//") else {
            throw LinkError(.notALink, "the link does not go on with // behind its scheme")
        }
        return rest
    }

    private static func demandShort(_ text: Substring) throws(LinkError) {
        guard text.utf8.count <= 8192 else { throw LinkError(.tooLong, "the link is longer than 8 KiB") }
    }

    private static func parse(
        https text: Substring, _ families: [TiqrFamily], oldestVersion: Int
    ) throws(LinkError) -> TiqrLink? {
        guard let address = try? WebAddress(String(text.prefix(8193))), address.port == nil,
            let family = families.first(where: { $0.linkHosts.contains(address.host) })
        else { return nil }
        let word = address.path.dropFirst().before("/")
        guard [enrollWord, challengeWord].contains(String(word)), ["/\(word)", "/\(word)/"].contains(address.path)
        else {
            return nil
        }
        try demandShort(text)
        guard family.allows(address.host) else { throw LinkError.foreignHost(address.host) }
        let query = try UniqueParameters(Substring(address.query ?? ""))
        if word == enrollWord {
            guard let metadata = Percent.decode(try query.one("metadata")) else {
                throw LinkError(.badEncoding, "the link's metadata is not encoded properly")
            }
            return .enroll(try TiqrEnroll(Substring(metadata), family, from: address))
        }
        return .challenge(try TiqrChallenge(query, oldestVersion))
    }
}

extension LinkError {
    fileprivate static func foreignHost(_ host: String) -> LinkError {
        // Not named if it is no host, since it may be any text then.
        let place = (try? WebAddress("https://\(host)"))?.host ?? "that host"
        return LinkError(.foreignAddress, "links of this kind may not lead to \(place)")
    }
}

extension TiqrEnroll {
    /// `text` is the address of the metadata. In a link with a scheme of its own, browsers change it: they take
    /// `https:` for a host with an empty port, and drop the colon.
    fileprivate init(_ text: Substring, _ family: TiqrFamily, from link: WebAddress?) throws(LinkError) {
        var text = String(text)
        for scheme in ["https", "http"] where link == nil && text.hasPrefix(scheme + "//") {
            text = scheme + "://" + text.dropFirst(scheme.count + 2)
        }
        do {
            metadata = try WebAddress(text)
        } catch {
            throw LinkError(
                .badAddress(error), "the address of the account's metadata cannot be used: \(error.reason)")
        }
        guard family.allows(metadata.host) else { throw LinkError.foreignHost(metadata.host) }
        self.link = link
        self.family = family
    }
}

extension TiqrChallenge {
    /// The form is `[user@]service/session/question[/site[/version]][?return]`.
    fileprivate init(_ text: Substring, _ family: TiqrFamily, _ oldestVersion: Int) throws(LinkError) {
        let segments = text.before("?").split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count >= 3 else {
            throw LinkError(.incomplete, "the link does not name a service, a session and a question")
        }
        guard segments.count <= 5 else {
            throw LinkError(.nothingUsable, "the link has more parts than a challenge has")
        }
        var service = segments[0]
        if let mark = service.lastIndex(of: "@") {
            user = service[..<mark]
            service = service[mark...].dropFirst()
        }
        self.service = service
        guard let name = Percent.decode(service), !name.isEmpty, user.map({ !Self.readings($0).isEmpty }) ?? true else {
            throw LinkError(.badEncoding, "the link's service or account cannot be read")
        }
        guard family.allows(name) else { throw LinkError.foreignHost(name) }
        sessionKey = try Self.text(segments[1], "session")
        question = try Self.text(segments[2], "question")
        site = segments.dropFirst(3).first.flatMap { Percent.decode($0, plusIsSpace: true) }
            .flatMap { $0.isEmpty ? nil : BankText($0) }
        version = try Self.version(segments.dropFirst(4).first, oldestVersion)
        returnTo = text.behind("?").flatMap(Self.returnAddress)
    }

    /// Reads the query of an https link.
    fileprivate init(_ query: UniqueParameters, _ oldestVersion: Int) throws(LinkError) {
        user = query.raw("u")
        service = try query.one("i")
        guard !Self.readings(service).isEmpty, user.map({ !Self.readings($0).isEmpty }) ?? true else {
            throw LinkError(.badEncoding, "the link's service or account cannot be read")
        }
        sessionKey = try Self.text(try query.one("s"), "session")
        question = try Self.text(try query.one("q"), "question")
        version = try Self.version(query.raw("v"), oldestVersion)
    }

    /// The possible meanings of an encoded account or service: some programs write a space as `+`, others mean a plus.
    /// The server expects the text that it has stored.
    static func readings(_ text: Substring) -> Set<String> {
        Set([Percent.decode(text, plusIsSpace: true), Percent.decode(text)].compactMap { $0 }).subtracting([""])
    }

    private static func text(_ raw: Substring, _ name: String) throws(LinkError) -> BankText {
        guard let text = Percent.decode(raw) else {
            throw LinkError(.badEncoding, "the link's \(name) is not encoded properly")
        }
        // No server has longer ones; a session is at most 512 bytes in hexadecimal digits.
        guard !text.isEmpty, text.utf8.count <= 1024 else {
            throw LinkError(.incomplete, "the link's \(name) is empty or too long")
        }
        return BankText(text)
    }

    private static func version(_ raw: Substring?, _ oldest: Int) throws(LinkError) -> Int {
        guard let raw, !raw.isEmpty else { return try checked(1, oldest) }
        guard raw.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            throw LinkError(.unknownVersion, "the link's version is not a number")
        }
        // A number too large for `Int` is also newer than 2.
        return try checked(min(Int(raw) ?? 2, 2), oldest)
    }

    private static func checked(_ version: Int, _ oldest: Int) throws(LinkError) -> Int {
        guard version >= oldest else {
            throw LinkError(.unknownVersion, "the link is of a protocol version that is no longer accepted")
        }
        return version
    }

    /// The page that the whole query names, encoded or not; nil if it names none.
    private static func returnAddress(_ raw: Substring) -> BankText? {
        [Percent.decode(raw), String(raw)].compactMap { $0 }.first { (try? PageAddress($0)) != nil }.map {
            BankText($0)
        }
    }
}

extension UniqueParameters {
    /// A parameter that must be there, as it is written.
    fileprivate func one(_ name: String) throws(LinkError) -> Substring {
        guard let value = raw(name) else { throw LinkError(.incomplete, "the link lacks its parameter \(name)") }
        return value
    }
}
