import Basics
import FoundationEssentials
import SessionModel
import Sessions

/// `login --from`: an issuer as a person or an administrator describes it, in TOML (countersign-sessions(7), ISSUER FILES).
enum IssuerFile {
    /// In bytes. As JSON it fits into a request of the agent's.
    private static let longest = 24 << 10

    /// Reads a file, and parses its text. `now`: when its metadata counts as fetched. Throws a `Failure` that names
    /// file and line.
    static func read(path: String, now: Date) throws -> (text: String, profile: IssuerProfile) {
        guard let data = FileManager.default.contents(atPath: path), data.count <= longest else {
            throw Failure.usage("\(path) cannot be read, or is too long", hint: manual)
        }
        let text = String(decoding: data, as: UTF8.self)
        return (text, try profile(in: text, of: path, now: now))
    }

    /// Parses the text of a file. `path`: as failures name it.
    static func profile(in text: String, of path: String = "the issuer file", now: Date) throws -> IssuerProfile {
        do {
            return try SettingsTable.read(Array(text.utf8)) { try IssuerProfile($0, now: now) }
        } catch let error as SettingsError {
            throw Failure.usage("\(path): \(error.text)", hint: manual)
        }
    }

    private static let manual = "man 7 countersign-sessions says what stands in it"
}

extension IssuerProfile {
    fileprivate init(_ table: SettingsTable, now: Date) throws {
        try table.check(for: [
            "authorization_endpoint", "client_auth", "client_id", "client_secret_file", "device_authorization_endpoint",
            "end_session_endpoint", "id_token_audiences", "issuer", "jwks_uri", "parameters", "prompt", "redirect_uri",
            "resource_parameter", "resources", "revocation_endpoint", "scopes", "token_endpoint", "userinfo_endpoint",
        ])
        self.init(try Self.target(table, now))
        clientID = try table.text("client_id")
        authentication = try table.value("client_auth", "\"none\", \"basic\" or \"post\"") { value in
            switch value.string {
            case "none": .public
            case "basic": .basic
            case "post": .post
            default: nil
            }
        }
        secretFile = try table.value("client_secret_file", "a path that begins with /") { value in
            value.string.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        redirectURI = try table.text("redirect_uri")
        for key in ["client_auth", "client_secret_file", "redirect_uri"]
        where clientID == nil && table.keys.contains(key) {
            throw table.fault(key, "it needs client_id")
        }
        if authentication == .public, secretFile != nil {
            throw table.fault("client_secret_file", "client_auth is \"none\"")
        }
        scopes = try table.value("scopes", "a list of scopes") { value in
            value.array.flatMap { Scopes($0.map { $0.string ?? "" }) }
        }
        resources =
            try table.texts("resources")?.map { text in
                guard let resource = ResourceIndicator(text) else {
                    throw table.fault("resources", "addresses without # are expected")
                }
                return resource
            } ?? []
        extras.resourceParameter =
            try table.value("resource_parameter", "\"resource\" or \"audience\"") {
                $0.string.flatMap(IssuerExtras.ResourceParameter.init)
            } ?? .resource
        if case .described = target { extras.isDescribed = true }
        extras.idTokenAudiences = try table.texts("id_token_audiences")
        extras.prompts =
            try table.value("prompt", "a list of \"consent\" and \"select_account\"") { value in
                value.array.flatMap { LoginPrompt.list($0.map { $0.string ?? "" }) }
            } ?? []
        guard let parameters = try table.table("parameters", "a table of texts") else { return }
        for name in parameters.keys {
            guard let value = try parameters.value(name, "a text", { $0.string }), let more = extras.adding(name, value)
            else { throw parameters.fault(name, "this parameter cannot be added: it is one of this program's own") }
            extras = more
        }
    }

    /// The issuer, to be looked up or described.
    private static func target(_ table: SettingsTable, _ now: Date) throws -> LoginWish.Target {
        func address(_ key: String) throws -> WebAddress? {
            try table.value(key, "an https address") { value in
                value.string.flatMap { try? WebAddress($0) }.flatMap { $0.fragment == nil ? $0 : nil }
            }
        }
        let named = try table.value("issuer", "an https address") { $0.string.flatMap { Issuer($0) } }
        guard let page = try address("authorization_endpoint"), let tokens = try address("token_endpoint") else {
            let endpoints = table.keys.filter { $0.hasSuffix("_endpoint") || $0 == "jwks_uri" }.sorted()
            if let key = endpoints.first {
                throw table.fault(
                    key, "it needs both authorization_endpoint and token_endpoint; without any, they are looked up")
            }
            guard let named else { throw table.fault("issuer", "it is missing") }
            return .address(named.address)
        }
        guard let issuer = named ?? Issuer(tokens.origin) else { throw table.fault("issuer", "it is missing") }
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: page, tokenEndpoint: tokens, fetchedAt: now)
        metadata.revocationEndpoint = try address("revocation_endpoint")
        metadata.endSessionEndpoint = try address("end_session_endpoint")
        metadata.deviceAuthorizationEndpoint = try address("device_authorization_endpoint")
        metadata.userInfoEndpoint = try address("userinfo_endpoint")
        metadata.keys = try address("jwks_uri")
        guard metadata.keys == nil || named != nil else {
            throw table.fault("jwks_uri", "ID tokens name their issuer: it needs issuer")
        }
        return .described(metadata)
    }
}
