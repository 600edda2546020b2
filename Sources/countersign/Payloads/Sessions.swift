import Basics
import Display
import SessionModel
import Sessions

extension SessionsPayload: Payload {
    var ids: [String] { sessions.map(\.name) }

    func text(_ style: Style) -> String {
        guard !sessions.isEmpty else { return "Nobody is signed in. Sign in with: countersign login https://ISSUER" }
        let rows = sessions.map { session in
            [
                session.name, session.account ?? "", session.host, session.state,
                session.updatedAt.day,
            ].map { DisplayText(answered: $0) }
        }
        return TextTable(header: ["NAME", "ACCOUNT", "HOST", "STATUS", "SINCE"]).text(rows, style)
    }
}

extension SessionPayload {
    /// The status in words.
    var state: String {
        switch reason {
        case nil:
            (refreshable ? "active" : "active" + (expiresAt.map { " until \(Self.local($0))" } ?? ""))
                + (signOutAt.map { ", signs out \(Self.local($0))" } ?? "") + (saved ? "" : ", not on the disk")
        case .ranOut: "ended: ran out"
        case .unusableAnswer: "not renewed: the issuer's last answer could not be used"
        case .ended(.timeOver): "signed out: its time was over"
        case .ended(.left): "signed out: you had left"
        case .ended(.rejected): "ended: no longer accepted"
        case .ended(.interrupted): "ended: interrupted"
        case .ended(.changed): "ended: of somebody else"
        case .ended(.damaged): "ended: its tokens cannot be read"
        case .ended(.signedOut): "signed out"
        }
    }

    static func local(_ time: Timestamp) -> String { LocalTime.full(time.date) }

    /// The line after a login.
    fileprivate var done: String {
        let who = account.map { " (\(DisplayText(answered: $0).line))" } ?? ""
        let life = refreshable ? ", renews by itself" : expiresAt.map { ", until \(Self.local($0))" } ?? ""
        let end = signOutAt.map { ", signs out \(Self.local($0))" } ?? ""
        return "Signed in: \(name)\(who)\(life)\(end)"
    }
}

/// The answer of `login`.
struct SignedIn: Payload {
    var session: SessionPayload

    init(_ session: SessionPayload) { self.session = session }

    var ids: [String] { [session.name] }

    func text(_ style: Style) -> String { session.done }
}

/// The answer of `token`: the token alone, or its header.
struct PrintedToken: Payload {
    var token: TokenPayload.Content
    private let line: String

    init(_ payload: TokenPayload, asHeader: Bool) {
        token = payload.token
        line = asHeader ? payload.header : payload.token.value
    }

    private enum CodingKeys: String, CodingKey { case token }

    var ids: [String] { [line] }
    var isVerbatim: Bool { true }

    func text(_ style: Style) -> String { line }
}

extension HeadersPayload: Payload {
    var ids: [String] { lines }
    var isVerbatim: Bool { true }

    func text(_ style: Style) -> String { lines.joined(separator: "\n") }
}

extension SignedOutPayload: Payload {
    var ids: [String] { signedOut.map(\.name) }

    func text(_ style: Style) -> String {
        guard !signedOut.isEmpty || !kept.isEmpty else { return "Nobody was signed in." }
        let left = "Left signed in, since you keep \(kept.count == 1 ? "it" : "them"): \(kept.joined(separator: ", "))"
        return (signedOut.map(Self.line) + (kept.isEmpty ? [] : [left])).joined(separator: "\n")
    }

    private static func line(_ session: Content) -> String {
        let remark =
            session.revoked
            ? session.goodUntil.map {
                " (the issuer did not end every access token; who has one can use it until \(SessionPayload.local($0)))"
            } ?? ""
            : session.owed
                ? " (the issuer could not be reached; it is told later)"
                : " (on this computer only; the issuer was not told)"
        return "Signed out: \(session.name)" + remark
    }
}
