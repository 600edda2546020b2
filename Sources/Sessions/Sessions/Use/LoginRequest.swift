import Basics
import Display
package import Keys
package import SessionModel
import Verbs

/// A person's wishes for a login, as words: the options of `countersign login`.
package struct LoginRequest: JSONInput, Equatable {
    package enum Origin: Sendable, Equatable {
        /// A session's name, or the address of an issuer or of a service that names one.
        case target(String)
        /// The name of a session that is signed in to again.
        case session(String)
        /// The content of an issuer file.
        case profile(String)
    }

    package var origin: Origin
    /// The issuer to choose where the target is a service that names several.
    package var issuer: Issuer?
    package var name: SessionName?
    /// A client that the person registered at the issuer. Its secret travels elsewhere.
    package var clientID: String?
    package var redirectURI: String?
    package var scopes: Scopes?
    package var resources: [ResourceIndicator] = []
    package var account: String?
    package var isOffline = false
    package var isFresh = false
    package var prompts: [LoginPrompt] = []
    package var maxAge: Int?
    package var acrValues: [String] = []
    /// Each as `NAME=VALUE`.
    package var parameters: [String] = []
    /// The languages for the issuer's page, by the person's locale.
    package var languages = LanguageTags.none
    package var isForDevice = false
    /// When to sign out again, and whether the session is kept. They take the PIN, and so do not travel.
    package var signOut: SignOutRule?
    package var keep: Bool?

    /// Whether this request takes the PIN.
    package var takesOwnPIN: Bool { signOut != nil || keep != nil }

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case target, session, profile, issuer, name, clientId, redirectUri, scopes, resources, account, offline, fresh,
            prompt, maxAge, acrValues, parameters, uiLocales, device
    }

    package init(_ origin: Origin) { self.origin = origin }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String? { try members.decodeIfPresent(String.self, forKey: key) }
        func texts(_ key: CodingKeys) throws -> [String]? { try members.decodeIfPresent([String].self, forKey: key) }
        func flag(_ key: CodingKeys) throws -> Bool { try members.decodeIfPresent(Bool.self, forKey: key) ?? false }
        switch (try text(.target), try text(.session), try text(.profile)) {
        case (let target?, nil, nil): origin = .target(target)
        case (nil, let session?, nil): origin = .session(session)
        case (nil, nil, let profile?): origin = .profile(profile)
        default: throw Failure.usage("a login is of one target, of one session or by one profile")
        }
        name = try text(.name).map { text in
            guard let name = SessionName(text) else { throw Failure.badSessionName }
            return name
        }
        issuer = try text(.issuer).map { text in
            guard let issuer = Issuer(text) else { throw Failure.badIssuer }
            return issuer
        }
        if case .profile = origin, issuer != nil { throw Failure.usage("a profile names the issuer itself") }
        (clientID, redirectURI) = (try text(.clientId), try text(.redirectUri))
        scopes = try texts(.scopes).map { words in
            guard let scopes = Scopes(words) else { throw Failure.badScope }
            return scopes
        }
        resources = try (texts(.resources) ?? []).map { text in
            guard let resource = ResourceIndicator(text) else { throw Failure.badResource }
            return resource
        }
        account = try text(.account)
        (isOffline, isFresh) = (try flag(.offline), try flag(.fresh))
        prompts = try (texts(.prompt) ?? []).map { word in
            guard let prompt = LoginPrompt(rawValue: word) else {
                throw Failure.usage("prompt is consent or select_account")
            }
            return prompt
        }
        maxAge = try members.decodeIfPresent(Int.self, forKey: .maxAge)
        (acrValues, parameters) = (try texts(.acrValues) ?? [], try texts(.parameters) ?? [])
        guard let languages = LanguageTags(try texts(.uiLocales) ?? []) else {
            throw Failure.usage("ui_locales are up to eight language tags")
        }
        self.languages = languages
        isForDevice = try flag(.device)
        guard maxAge.map({ (0...31_536_000).contains($0) }) ?? true else {
            throw Failure.usage("max_age is a number of seconds, at most a year")
        }
        // The device flow has no place for them (RFC 8628 section 3.1).
        guard !isForDevice || (account == nil && !isFresh && prompts.isEmpty && maxAge == nil && acrValues.isEmpty)
        else {
            throw Failure.usage("a login by a device takes none of account, fresh, prompt, max_age and acr_values")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch origin {
        case .target(let text): try members.encode(text, forKey: .target)
        case .session(let name): try members.encode(name, forKey: .session)
        case .profile(let text): try members.encode(text, forKey: .profile)
        }
        try members.encodeIfPresent(issuer?.text, forKey: .issuer)
        try members.encodeIfPresent(name?.text, forKey: .name)
        try members.encodeIfPresent(clientID, forKey: .clientId)
        try members.encodeIfPresent(redirectURI, forKey: .redirectUri)
        try members.encodeIfPresent(scopes?.all, forKey: .scopes)
        try members.encode(resources.map(\.text), forKey: .resources)
        try members.encodeIfPresent(account, forKey: .account)
        try members.encode(isOffline, forKey: .offline)
        try members.encode(isFresh, forKey: .fresh)
        try members.encode(prompts.map(\.rawValue), forKey: .prompt)
        try members.encodeIfPresent(maxAge, forKey: .maxAge)
        try members.encode(acrValues, forKey: .acrValues)
        try members.encode(parameters, forKey: .parameters)
        try members.encode(languages.all, forKey: .uiLocales)
        try members.encode(isForDevice, forKey: .device)
    }
}

extension LoginRequest {
    /// The client that the person registered, named by the request or else by the issuer file; nil if neither names one. `secret`:
    /// the client's secret, read from where one of them says. Throws a usage failure if the client lacks something.
    package func client(_ profile: IssuerProfile?, secret: SecretSlot?) throws -> LoginWish.Client? {
        let profile = clientID == nil ? profile : nil
        guard let id = clientID ?? profile?.clientID else {
            guard secret == nil, redirectURI == nil else {
                throw Failure.usage("the issuer file names no client", hint: "add --client-id")
            }
            return nil
        }
        if let way = profile?.authentication, (way == .public) != (secret == nil) {
            throw Failure.usage(
                way == .public ? "this client has no secret (client_auth)" : "this client needs a secret (client_auth)",
                hint: "see client_secret_file, --client-secret-file")
        }
        return .init(
            id: BankText(id), secret: secret, authentication: profile?.authentication,
            redirectURI: redirectURI ?? profile?.redirectURI)
    }

    /// `profile`: the content of the issuer file, if the request has one. `sessions`: all sessions.
    func wish(_ profile: IssuerProfile?, secret: SecretSlot?, among sessions: [SignIn]) throws -> LoginWish {
        var wish = LoginWish(try target(profile, sessions))
        wish.issuer = issuer
        wish.name = name
        wish.scopes = scopes ?? profile?.scopes
        wish.resources = resources.isEmpty ? profile?.resources ?? [] : resources
        wish.client = try client(profile, secret: secret)
        wish.extras = try extras(profile, wish.target)
        wish.account = account
        wish.isOffline = isOffline
        wish.isFresh = isFresh
        wish.prompts = prompts
        wish.maxAge = maxAge
        wish.acrValues = acrValues
        wish.languages = languages
        wish.isForDevice = isForDevice
        (wish.signOut, wish.keep) = (signOut, keep)
        return wish
    }

    private func target(_ profile: IssuerProfile?, _ sessions: [SignIn]) throws -> LoginWish.Target {
        switch origin {
        case .target(let text): return try Self.target(text, sessions)
        case .session(let name):
            guard let session = sessions.first(where: { $0.name.text == name }) else {
                throw SessionError.noSession(wanted: name, near: [])
            }
            return .session(session)
        case .profile:
            guard let profile else { throw Failure.usage("no issuer files are read here") }
            return profile.target
        }
    }

    /// A session's name, or an address with or without `https://`.
    private static func target(_ text: String, _ sessions: [SignIn]) throws -> LoginWish.Target {
        if let session = sessions.first(where: { $0.name.text == text }) { return .session(session) }
        if !text.contains("://"), SessionName(text) != nil, text != "localhost" {
            _ = try SessionLookup(sessions).session(text)
        }
        do {
            return .address(try WebAddress(text.contains("://") ? text : "https://" + text))
        } catch {
            throw Failure.usage(error.reason, hint: "give an issuer's address: countersign login https://ISSUER")
        }
    }

    private func extras(_ profile: IssuerProfile?, _ target: LoginWish.Target) throws -> IssuerExtras? {
        guard !parameters.isEmpty else { return profile?.extras }
        var extras = profile?.extras ?? .none
        if profile == nil, case .session(let session) = target { extras = session.extras }
        for text in parameters {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let more = extras.adding(parts[0], parts[1]) else {
                throw Failure.usage(
                    "this parameter cannot be added: \(DisplayText(text).line(within: 60))",
                    hint:
                        "give NAME=VALUE; what this program sends itself has options: --scope, --resource, --account, --fresh, --prompt …"
                )
            }
            extras = more
        }
        return extras
    }
}
