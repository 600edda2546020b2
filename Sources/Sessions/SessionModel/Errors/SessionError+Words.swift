package import Basics
import Display

extension SessionError: PresentableError {
    package var failure: Failure {
        switch self {
        case .noSession(let wanted, let near):
            Failure(
                .notFound, "no session is called \"\(DisplayText(wanted).line(within: 60))\"",
                hint: (near.first.map { "did you mean \"\($0)\"? " } ?? "") + "list them with: countersign sessions")
        case .noSessions:
            Failure(.notFound, "you are not signed in anywhere", hint: "countersign login https://ISSUER")
        case .ambiguous(let wanted, let candidates):
            Failure(
                .ambiguous,
                wanted.map { "several sessions fit \"\(DisplayText($0).line(within: 60))\"" }
                    ?? "there are several sessions",
                hint: "name one of them: \(candidates.joined(separator: ", "))")
        case .signedOut(let name, let reason): Failure(.signedOut, reason.words(name), hint: Self.login(name))
        case .ranOut(let session):
            Failure(
                .signedOut, "the token of \(session.name.text) ran out, and its issuer gave nothing to renew it with",
                hint: Self.login(session.name) + (session.renewalOptions().map { " \($0)" } ?? ""))
        case .busy(let name, let holder):
            Failure(
                .unreachable,
                "\(holder.map { "process \($0)" } ?? "another process") renews \(name.text) and has not finished",
                hint: "run it again")
        case .unknownType(let name, let type):
            Failure(
                .refused,
                "the issuer\(name.map { " of \($0.text)" } ?? "") gives a kind of token that is not spoken here (\(DisplayText(type).line(within: 40)))",
                hint: "ask the issuer for bearer tokens")
        case .beyond(let session, let scopes, let resources):
            Failure(
                .refused, "\(session.name.text) was not granted: \((scopes + resources).joined(separator: " "))",
                hint: Self.login(session, scopes: scopes, resources: resources))
        case .noResource(let address, let schemes) where !schemes.isEmpty:
            Failure(
                .notFound,
                "\(DisplayText(address).line(within: 200)) asks for no token that is spoken here, but for: "
                    + DisplayText(schemes.joined(separator: ", ")).line(within: 100),
                hint: "sign in there in its own way; only Bearer challenges are answered")
        case .noResource(let address, _):
            Failure(
                .notFound, "no session covers \(DisplayText(address).line(within: 200))",
                hint:
                    "bind it to a session: countersign sites add PREFIX --session NAME; sites match URL says why none fits"
            )
        case .noIDToken(let session):
            Failure(
                .refused, "the issuer of \(session.name.text) gave no ID token",
                hint: session.asked.contains("openid")
                    ? "sign in with a browser: \(Self.login(session.name))"
                    : "ask for one: \(Self.login(session, scopes: ["openid"]))")
        case .idTokenRanOut(let name):
            Failure(
                .signedOut, "the ID token of \(name.text) ran out, and its issuer gives another only with a login",
                hint: Self.login(name))
        case .freshRejected(let name):
            Failure(
                .refused, "the service does not accept fresh tokens of \(name.text) either",
                hint: "ask the service; in five minutes the token is renewed again if it is rejected")
        case .needsScopes(let session, let wanted):
            Failure(
                .refused,
                wanted.isEmpty
                    ? "the service wants more than the token of \(session.name.text) is good for"
                    : "the service wants scopes that the token of \(session.name.text) lacks: \(wanted.text)",
                hint: Self.login(session, scopes: wanted.all))
        case .widerThanAllowed(let name, let scopes):
            Failure(
                .refused, "the issuer of \(name.text) gives this program more than it may have: \(scopes.text)",
                hint: "it narrows no tokens, so allow the program all scopes of the session, or none")
        case .needsStrongerLogin(let name, let acr, let maxAge):
            Failure(
                .signedOut, "the service wants you to sign in to \(name.text) again, or more strongly",
                hint: Self.login(name) + CommandWords.options("--acr", acr.map(\.untrusted))
                    + (maxAge.map { " --max-age \($0)" } ?? ""))
        case .noSite(let wanted):
            Failure(
                .notFound, "no site is called \"\(DisplayText(wanted).line(within: 120))\"",
                hint: "list them with: countersign sites")
        case .ruleTaken(let site):
            Failure(
                .usage, "\(site.rule.text) already has a site",
                hint: "remove it first: countersign sites remove \(site.id.text)")
        case .siteContradicts(let place, let finding):
            Failure(
                .changed,
                "\(DisplayText(place).line(within: 120)) says that it belongs to another issuer (\(finding.field.rawValue): \(finding.words))",
                hint: "sign in at its own issuer: countersign login URL")
        case .siteChanged(let rule):
            Failure(
                .changed, "\(DisplayText(rule.text).line(within: 120)) now describes itself differently than shown",
                hint: "look at it again: countersign sites add PREFIX --session NAME")
        case .undescribed(let place):
            Failure(
                .changed,
                "\(DisplayText(place).line(within: 120)) names a description of itself that cannot be fetched",
                hint: "bind the address itself: countersign sites add PREFIX --session NAME")
        case .renewal(let name, let failure): failure.failure(of: name)
        case .aimRefused(let session, let aim, let rejection): rejection.failure(of: session, asking: aim)
        case .unjudged(let name, let error):
            Failure(.unreachable, error.failure.message, hint: error.obstacle?.hint ?? "try again: \(Self.token(name))")
        case .faulty(let name, let reason):
            Failure(
                .changed, reason,
                hint: "try again: \(Self.token(name)) --id-token; or sign in again: \(Self.login(name))")
        case .interrupted(let name):
            Failure(
                .cancelled, "interrupted; whether \(name.text) was renewed is not known",
                hint: "the next use finds out: \(Self.token(name))")
        case .noProfile(let name):
            Failure(
                .refused, "the issuer of \(name.text) has no account information",
                hint: "for what is known: countersign sessions show \(name.text)")
        case .otherProfile(let name):
            Failure(
                .changed, "the UserInfo of \(name.text)'s issuer is about somebody else; nothing of it is kept",
                hint: "ask the issuer; or sign in again: \(Self.login(name))")
        case .profileFailed(let name, let error):
            Failure(
                error.failure.kind, error.failure.message,
                hint: error.obstacle?.hint ?? "for what is known: countersign sessions show \(name.text)")
        case .notGranted:
            Failure(
                .locked, "this program was not allowed to have a token",
                hint: "what can be allowed is listed by: countersign requests")
        case .needsWait:
            Failure(.locked, "this takes the PIN each time", hint: "wait for the person: --wait 60")
        case .noWindow:
            Failure(
                .locked, "this takes the PIN each time, and there is no desktop to ask for it",
                hint: "allow it without: countersign grants add PROGRAM --session NAME --when open")
        case .notAtHand: Failure(.locked, "the agent is locked", hint: "countersign unlock")
        case .changedMeanwhile(let name):
            Failure(
                .changed, "\(name.text) was signed in to again meanwhile, for something else",
                hint: "let the program ask again")
        case .noGrant(let id):
            Failure(
                .notFound, "no grant is called \"\(DisplayText(id).line(within: 60))\"",
                hint: "list them with: countersign grants")
        case .noRequest(let id):
            Failure(
                .notFound, "no request is called \"\(DisplayText(id).line(within: 60))\"",
                hint: "list what programs ask for: countersign requests")
        case .needsChoice(let id, let sessions):
            Failure(
                .ambiguous, "the program can have tokens of: \(sessions.joined(separator: ", "))",
                hint: "say of which: countersign allow \(id)"
                    + (sessions.count == 1 ? "" : " --session \(sessions.first ?? "NAME")"))
        case .tooLongForWindow(let command):
            Failure(
                .refused, "what the program may have is too long to be shown in a window",
                hint: "see it whole on a terminal: \(command)")
        case .takesPIN: .takesPIN
        case .declined: .cancelled
        case .waitOver:
            Failure(
                .cancelled, "the wait for the issuer's page is over",
                hint: "begin again: countersign login ISSUER; --timeout waits longer")
        case .noAddress:
            Failure(
                .cancelled, "the input ended without the address that the issuer's page led to",
                hint: "begin again, and paste the address that the browser shows at the end")
        case .tooManyLogins:
            Failure(.refused, "too many logins wait for an issuer's page", hint: "finish or cancel one of them")
        case .loginEnded:
            Failure(.cancelled, "the login was ended: the agent was locked meanwhile", hint: "countersign login")
        case .codeExpired:
            Failure(
                .cancelled, "the code was not entered in time", hint: "countersign login URL --device gives another")
        case .noDeviceFlow(let issuer):
            Failure(
                .refused,
                issuer.words(
                    for: "device_authorization_endpoint", missing: "\(issuer.issuer.host) does not sign in by codes"),
                hint: "sign in with a browser: countersign login URL; on a computer without one, with --callback paste")
        case .unprovable(let issuer):
            Failure(
                .usage, "without an ID token \(issuer.host) does not prove that you signed in anew",
                hint: "ask for one: --scope openid beside your own scopes; or leave --fresh out")
        case .otherAccount(let name, let account):
            Failure(
                .changed,
                "somebody else signed in (\(DisplayText(account).line(within: 60))); \(name.text) is as it was",
                hint: "for another account: countersign login URL --name NEW")
        case .unknownAccount(let session, let asked):
            Failure(
                .changed,
                "this login does not say who signed in, and \(session.name.text) is \(DisplayText(session.identity?.account ?? BankText("")).line(within: 60)); \(session.name.text) is as it was",
                hint: (asked.contains("openid")
                    ? "sign in with a browser: \(Self.login(session.name))"
                    : "ask for that: "
                        + Self.login(session.name)
                        + CommandWords.options("--scope", Set(asked.all + ["openid"]).sorted()))
                    + "; for a session of its own: \(CommandWords.login(session.issuer.issuer)) --name NEW")
        case .strangeRedirect(let issuer, let reason):
            Failure(
                .changed, "\(reason); nothing was sent",
                hint: "do not sign in by a link that somebody sent you; begin again: \(CommandWords.login(issuer))")
        case .otherIssuer(let session, let wanted):
            Failure(
                .usage,
                IssuerError.words("the session \(session.name.text)", names: session.issuer.issuer.text, not: wanted),
                hint: "leave out --issuer: \(Self.login(session.name))")
        case .nameTaken(let name):
            Failure(
                .usage, "another session is called \(name.text)",
                hint: "choose another name; or sign in to it again: countersign login \(name.text)")
        case .nameKept(let name):
            Failure(
                .usage, "\(name.text) keeps its name when it is signed in to again",
                hint: "leave --name out; or sign in by the issuer's address for a session of its own")
        case .needsClient(let issuer):
            Failure(
                .usage,
                issuer.words(
                    for: "registration_endpoint", missing: "\(issuer.issuer.host) registers no programs by itself"),
                hint: CommandWords.registering(then: CommandWords.login(issuer.issuer)))
        case .issuer(let error): error.failure
        case .loginRefused(let refusal): refusal.failure
        }
    }

    private static func login(_ name: SessionName) -> String { CommandWords.login(name) }

    /// The login that also asks for these scopes and resources. It lists all of them, since `--scope` and `--resource`
    /// replace those of the session.
    private static func login(_ session: SignIn, scopes: [String], resources: [String] = []) -> String {
        login(session.name)
            + CommandWords.options("--scope", scopes.isEmpty ? [] : Set(session.asked.all + scopes).sorted())
            + CommandWords.options(
                "--resource", resources.isEmpty ? [] : Set(session.resources.map(\.text) + resources).sorted())
    }

    private static func token(_ name: SessionName) -> String { "countersign token \(name.text)" }
}

extension EndReason {
    package func words(_ name: SessionName) -> String {
        switch self {
        case .rejected: "the issuer no longer accepts the session \(name.text)"
        case .interrupted:
            "the answer to the last renewal of \(name.text) was lost before it could be stored; its issuer no longer accepts the old token"
        case .changed: "the last renewal of \(name.text) was for somebody or something else than its login"
        case .damaged: "the tokens of \(name.text) in the database are damaged"
        case .signedOut: "\(name.text) is signed out, and what is left of it can be removed with: countersign logout"
        case .timeOver: "\(name.text) was signed out when its time was over"
        case .left: "\(name.text) was signed out when you left"
        }
    }
}

extension RenewalFailure {
    fileprivate func failure(of name: SessionName) -> Failure {
        switch self {
        case .refused(let rejection): rejection.failure(of: name)
        case .later(let reason, let seconds):
            Failure(.unreachable, reason, hint: seconds.map { "try again in \($0) s" } ?? "try again later")
        case .unreachable(let reason, let obstacle):
            Failure(.unreachable, reason, hint: obstacle?.hint ?? CallError.tryAgain)
        case .unusable(let reason):
            Failure(
                .unknown, "\(reason); \(name.text) could not be renewed",
                hint:
                    "try again: countersign token \(name.text) --verbose; if the issuer goes on so, sign in again: \(CommandWords.login(name))"
            )
        case .noAnswer(let reason):
            Failure(
                .unknown, "\(reason); whether \(name.text) was renewed is not known",
                hint: "the next use finds out: countersign token \(name.text)")
        }
    }
}

extension Failure {
    /// The change would let a session last for longer.
    package static let takesPIN = Failure(
        .locked, "to stay signed in for longer takes the PIN", hint: "run it on a terminal, or give --pin-file PATH")
}
