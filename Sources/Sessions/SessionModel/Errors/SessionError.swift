package import Basics

/// Why a use of sessions brought nothing.
package enum SessionError: Error, Sendable {
    /// No session has this name or issuer.
    case noSession(wanted: String, near: [String])
    /// Nobody signed in yet.
    case noSessions
    /// Several sessions fit.
    case ambiguous(wanted: String?, candidates: [String])
    /// The session ended.
    case signedOut(SessionName, EndReason)
    /// The access token ran out and there is nothing to renew it with.
    case ranOut(SignIn)
    /// Another process renews the session, and did not finish in time.
    case busy(SessionName, by: Int32?)
    /// A kind of token that this program does not speak.
    case unknownType(SessionName?, BankText)
    /// The session was not granted these scopes, or its login was not for these resources.
    case beyond(SignIn, scopes: [String], resources: [String])
    /// No site fits this request, and no session's resource covers its address. `wanted`: the schemes that the service asks for,
    /// where no token answers any of them.
    case noResource(String, wanted: [String] = [])
    /// Its issuer gave no ID token.
    case noIDToken(SignIn)
    /// The ID token ran out, and its issuer gives another only with a login.
    case idTokenRanOut(SessionName)
    /// A service rejects fresh tokens as well.
    case freshRejected(SessionName)
    /// A service wants scopes that the session was not granted, or that the token had already.
    case needsScopes(SignIn, Scopes)
    /// The issuer gave a token for more than the program may have.
    case widerThanAllowed(SessionName, Scopes)
    /// A service wants the person signed in more strongly, or again.
    case needsStrongerLogin(SessionName, acr: [BankText], maxAge: Int?)

    // Of sites.

    case noSite(wanted: String)
    /// Another site has this rule.
    case ruleTaken(Site)
    /// The service's description of itself does not fit the site.
    case siteContradicts(String, MetadataFinding)
    /// The service's description of itself differs from the description that the person saw.
    case siteChanged(SiteRule)
    /// The service names a description of itself that cannot be fetched.
    case undescribed(String)
    case renewal(SessionName, RenewalFailure)
    /// At a renewal the issuer refused the scopes or the resources that were asked for.
    case aimRefused(SignIn, TokenAim, Rejection)
    /// The ID token of a renewal cannot be judged now.
    case unjudged(SessionName, IssuerError)
    /// The ID token of a renewal is faulty but not another person's, and no earlier ID token is good.
    case faulty(SessionName, reason: String)
    /// A signal came while the answer of a renewal was awaited, and none came.
    case interrupted(SessionName)

    /// The issuer says nothing of accounts.
    case noProfile(SessionName)
    /// UserInfo is about somebody else.
    case otherProfile(SessionName)
    case profileFailed(SessionName, IssuerError)
    // Of programs.

    /// A program may not have this: the person was not asked, did not answer in time, or refused.
    /// The program does not learn which.
    case notGranted
    /// The person is asked for the PIN each time, and the program does not wait for that.
    case needsWait
    /// The person is asked for the PIN each time, and no window can be shown.
    case noWindow
    /// The PIN must be entered before anything is handed out.
    case notAtHand
    /// The session was signed in to again since the program asked.
    case changedMeanwhile(SessionName)
    /// No grant has this id.
    case noGrant(String)
    /// No request has this id.
    case noRequest(String)
    /// The program's request fits these sessions, and the person did not choose one of them.
    case needsChoice(id: String, [String])
    /// The program's request is too long for the windows of a desktop; this command shows it on a terminal.
    case tooLongForWindow(command: String)

    /// The change would make a session last longer.
    case takesPIN

    // Of a login and a logout.

    /// The person did not agree to the hosts.
    case declined
    /// The wait for the issuer's page is over.
    case waitOver
    /// The person pasted no address.
    case noAddress
    /// An agent has as many logins under way as it takes.
    case tooManyLogins
    /// The agent does not know this login: a lock ended it, or its command did.
    case loginEnded
    /// The code of a device flow was not entered in time.
    case codeExpired
    /// The issuer has no device flow.
    case noDeviceFlow(IssuerMetadata)
    /// A login that asks for nobody's ID token cannot prove that the person signed in anew.
    case unprovable(Issuer)
    /// Somebody else signed in than before.
    case otherAccount(SessionName, account: BankText)
    /// The login that asked for these scopes does not name the person, while the session belongs to a known person.
    case unknownAccount(SignIn, asked: Scopes)
    /// Another session has the name that was wished for.
    case nameTaken(SessionName)
    /// A session that is signed in to again keeps its name.
    case nameKept(SessionName)
    /// The issuer registers no programs by itself, and no client was named.
    case needsClient(IssuerMetadata)
    case issuer(IssuerError)
    /// The browser came back with this login's state, and the rest of the redirect does not fit. Nothing was sent.
    case strangeRedirect(Issuer, reason: String)
    /// The session is at another issuer than the chosen issuer.
    case otherIssuer(SignIn, wanted: Issuer)
    /// The issuer said no to a login.
    case loginRefused(LoginRefusal)
}
