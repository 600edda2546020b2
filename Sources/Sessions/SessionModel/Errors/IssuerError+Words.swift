package import Basics
import Display

extension IssuerError: PresentableError {
    package var failure: Failure {
        switch self {
        case .notFound(let tried):
            Failure(
                .unreachable,
                "no issuer is found there: "
                    + tried.map { "\(DisplayText($0.address.text).line(within: 120)): \($0.reason)" }
                    .joined(separator: "; "),
                hint: obstacle?.hint
                    ?? "compare the address with the issuer's own word; an issuer without these documents: countersign login --from FILE; --verbose names each call"
            )
        case .unreachable(let reason, let obstacle):
            Failure(.unreachable, reason, hint: obstacle?.hint ?? CallError.tryAgain)
        case .noAnswer(let reason):
            Failure(.unknown, "\(reason); nothing was kept", hint: "sign in again: countersign login")
        case .refused(let rejection): rejection.failure(of: nil)
        case .contradiction(let reason):
            Failure(.changed, reason, hint: "see what is wrong: countersign doctor --issuer URL; or ask the issuer")
        case .unsupported(let reason): Failure(.refused, reason, hint: "ask the issuer for the code flow with PKCE")
        case .several(let issuers, let resource):
            Failure(
                .ambiguous,
                "\(DisplayText(resource.text).line(within: 120)) names several issuers: "
                    + issuers.prefix(8).map { DisplayText($0.text).line(within: 120) }.joined(separator: ", "),
                hint: "choose the one where you have an account: countersign login URL --issuer ISSUER")
        case .noRegistration:
            Failure(
                .usage, "the issuer registers no programs by itself", hint: "see --client-id and --redirect-uri")
        case .noRevocation: Failure(.refused, "the issuer cannot end tokens", hint: nil)
        }
    }
}

extension Rejection {
    /// `session`: the session of a renewal. A login has its own words (`LoginRefusal`).
    func failure(of session: SessionName?) -> Failure {
        let login = "countersign login" + (session.map { " \($0.text)" } ?? "")
        let (failure, words): (Failure.Kind, (String, String?)) =
            switch kind {
            case .grant: (.refused, ("the issuer did not accept what it was shown", login))
            case .unexplained: (.refused, ("the issuer refuses without saying why", login))
            case .client:
                (.refused, ("the issuer does not know this client, or it may not do this", login + "; see --client-id"))
            case .scope: (.refused, ("the issuer does not grant one of these scopes", "see --scope"))
            case .target: (.refused, ("the issuer gives no tokens for one of these resources", "see --resource"))
            case .denied: (.refused, ("the sign-in was refused on the issuer's page", login))
            case .needsPerson: (.signedOut, ("the issuer wants you to sign in on its page", login))
            case .tooWeak: (.refused, ("the issuer cannot sign you in as strongly as asked", nil))
            case .unavailable: (.unreachable, ("the issuer has a problem", "try again later"))
            case .redirect:
                (
                    .refused,
                    ("the issuer answered with a redirect, which is not followed", "countersign doctor --issuer URL")
                )
            case .other where blamesRequest:
                (
                    .refused,
                    (
                        "the issuer does not take this request",
                        // Some issuers say this of a refresh token that ended.
                        (session == nil ? "" : "sign in again: \(login); or see what is wrong: ")
                            + "countersign doctor --issuer URL; --verbose names each call"
                    )
                )
            case .other: (.refused, ("the issuer refuses this", "\(login); --verbose names each call"))
            }
        return Failure(failure, words.0 + said, hint: words.1)
    }
}
