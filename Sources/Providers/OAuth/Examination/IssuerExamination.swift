package import Basics
import FoundationEssentials
import Cryptography
package import SessionModel
import Web

/// Judges an issuer's description of itself, step by step. Sends nothing but requests for its documents and keys.
struct IssuerExamination {
    private let transport: Transport
    private let now: @Sendable () -> Date
    private(set) var findings: [IssuerFinding] = []
    /// The clock offset in the last answer, in seconds; positive if the issuer's clock is ahead.
    private var offset: Double?

    init(transport: Transport, now: @escaping @Sendable () -> Date) {
        self.transport = transport
        self.now = now
    }

    /// A larger offset makes ID tokens look too old, or made in the future.
    private static let longestOffset = 120.0

    /// `target`: the issuer's address.
    mutating func run(_ target: WebAddress) async {
        var documents: [JSON] = []
        for place in OAuthService.places(of: target.base) {
            let topic = place.path.contains("openid-configuration") ? "openid document" : "oauth document"
            guard let document = await document(place, topic) else { continue }
            do throws(OAuthService.WrongIssuer) {
                try OAuthService.demandIssuer(of: document, at: target.base)
            } catch {
                find(topic, .wrong, error.words("it"), "give the address that it names, if you know it")
                continue
            }
            documents.append(document)
            find(topic, .right, "it is at \(place.hostForPeople), and names this issuer")
        }
        guard let first = documents.first else {
            find(
                "issuer", .wrong, "no document that can be used is there",
                "compare the address with the issuer's own word; a service names its issuer only to: countersign login")
            return
        }
        clock()
        let metadata: IssuerMetadata
        do {
            metadata = try IssuerMetadata(first, documents.dropFirst().first, fetchedAt: now())
        } catch {
            switch error {
            case .contradiction(let reason), .unsupported(let reason): find("endpoints", .wrong, reason)
            default: find("endpoints", .wrong, "they cannot be read")
            }
            return
        }
        endpoints(metadata)
        flow(metadata, documents)
        client(metadata)
        await keys(metadata)
        goodbye(metadata)
    }

    private mutating func find(
        _ topic: String, _ verdict: IssuerFinding.Verdict, _ words: String, _ hint: String? = nil
    ) {
        findings.append(IssuerFinding(topic, verdict, words, hint: hint))
    }

    private mutating func document(_ place: WebAddress, _ topic: String) async -> JSON? {
        switch await transport.document(place) {
        case .failure(let why):
            find(topic, .note, "none can be had at \(place.hostForPeople): \(why.reason)", why.obstacle?.hint)
            return nil
        case .success((let document, let answer)):
            if let time = answer.serverTime { offset = time.timeIntervalSince(now()) }
            return document
        }
    }

    private mutating func clock() {
        guard let offset else { return find("clock", .note, "the issuer does not tell its time") }
        let seconds = Int(offset.magnitude.rounded())
        guard seconds > 1 else { return find("clock", .right, "it agrees with this computer's") }
        guard offset.magnitude > Self.longestOffset else {
            return find("clock", .right, "it is \(seconds) s \(offset < 0 ? "behind" : "ahead of") this computer's")
        }
        find(
            "clock", .note, "it is \(seconds) s \(offset < 0 ? "behind" : "ahead of") this computer's",
            "if yours is wrong, turn on time synchronisation")
    }

    private mutating func endpoints(_ metadata: IssuerMetadata) {
        let hosts = metadata.hosts
        let others = hosts.others.isEmpty ? "" : "; other calls go to \(hosts.others.joined(separator: ", "))"
        find("endpoints", .right, "the page is at \(hosts.page), codes and tokens go to \(hosts.tokens)\(others)")
        for name in (metadata.unusableEndpoints ?? [:]).keys.sorted() {
            find("endpoints", .note, metadata.words(for: name, missing: ""), "it matters only if it is needed")
        }
        if metadata.namesIssuerInRedirect {
            find("redirect", .right, "it promises to name itself in redirects (RFC 9207)")
        } else if hosts.isPageUnproven {
            find(
                "redirect", .note, "the page is at another host, and does not promise to prove that it is the issuer's",
                "sign in only if you know both hosts")
        } else {
            find("redirect", .right, "the page is at the issuer's own host")
        }
    }

    private mutating func flow(_ metadata: IssuerMetadata, _ documents: [JSON]) {
        let isPKCETold = documents.contains { $0["code_challenge_methods_supported"] != nil }
        find(
            "code flow", .right,
            isPKCETold ? "it has PKCE with S256" : "it does not say whether it has PKCE; S256 is sent")
        if metadata.requiresPushedRequests, metadata.pushedAuthorizationRequestEndpoint == nil {
            find("pushed requests", .wrong, "it wants requests pushed, and does not say where")
        } else if metadata.requiresPushedRequests {
            find("pushed requests", .right, "it wants them (RFC 9126)")
        }
        find(
            "device flow", .right,
            metadata.deviceAuthorizationEndpoint == nil ? "it has none" : "it has one: login --device")
    }

    private mutating func client(_ metadata: IssuerMetadata) {
        // Some issuers omit this list, or omit `none` from it, and still take clients without a secret: nothing is refused because
        // of it.
        let wantsSecret = metadata.tokenEndpointAuthMethods.map { !$0.contains("none") } ?? false
        if metadata.registrationEndpoint != nil {
            guard wantsSecret else { return find("client", .right, "it registers programs by itself (RFC 7591)") }
            return find(
                "client", .note, "it registers programs by itself (RFC 7591), and lists no clients without a secret",
                "if a login is refused, register one there, then: login URL --client-id ID --client-secret-file PATH")
        }
        find(
            "client", .note,
            "it registers no programs by itself" + (wantsSecret ? ", and its clients have secrets" : ""),
            "register a native client there, then: countersign login URL --client-id ID --redirect-uri URI"
                + (wantsSecret ? " --client-secret-file PATH" : ""))
    }

    private mutating func keys(_ metadata: IssuerMetadata) async {
        guard metadata.speaksOpenID else {
            return find("id token", .right, "it does not speak OpenID Connect; who signed in is not known")
        }
        if let listed = metadata.idTokenAlgorithms, !listed.contains(where: { JWSAlgorithm(rawValue: $0) != nil }) {
            find(
                "id token", .wrong, "it signs with no algorithm that is verified here",
                "ask the issuer for RS256 or ES256; or: login --scope, without openid")
        } else {
            find("id token", .right, "it signs with an algorithm that is verified here")
        }
        guard let address = metadata.keys else {
            return find("keys", .wrong, "it does not say where its keys are (jwks_uri)")
        }
        let answer = try? await transport.send(.document(address))
        guard let answer, answer.status == 200, let document = answer.object, let keys = IssuerKey.read(document) else {
            return find(
                "keys", .wrong,
                "they cannot be had from \(address.hostForPeople)" + (answer.map { " (HTTP \($0.status))" } ?? ""))
        }
        guard !IssuerKey.areTooMany(document) else {
            return find("keys", .note, "it has more than are read; \(keys.count) of the first 100 can be used")
        }
        guard !keys.isEmpty else { return find("keys", .wrong, "none of them can be used here") }
        find("keys", .right, "\(keys.count) of them can be used")
    }

    private mutating func goodbye(_ metadata: IssuerMetadata) {
        if metadata.revocationEndpoint == nil {
            find("revocation", .note, "it has none: a logout cannot end tokens there, they run out")
        } else {
            find("revocation", .right, "a logout can end tokens there")
        }
        find(
            "browser", .right,
            metadata.endSessionEndpoint == nil
                ? "it has no page that signs a browser out" : "it has a page that signs a browser out")
    }
}

extension OAuthService {
    /// Judges an issuer's description of itself, step by step, for a person who wants to know why a login fails.
    /// Creates nothing there.
    package func examine(_ issuer: WebAddress) async -> [IssuerFinding] {
        var examination = IssuerExamination(transport: transport, now: now)
        await examination.run(issuer)
        return examination.findings
    }
}
