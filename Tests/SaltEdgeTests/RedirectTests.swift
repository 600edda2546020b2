import Basics
import ApprovalModel
@testable import SaltEdge
import Testing

@Suite struct RedirectTests {
    private static let loopback = "http://127.0.0.1:4711/c/9f"

    private func grant(_ token: String, _ id: String? = nil) -> Redirect {
        .grant(.init(accessToken: BankText(token), id: id.flatMap(BankID.init)))
    }

    private func refusal(_ errorClass: String?, _ message: String?) -> Redirect {
        .refusal(.init(errorClass: errorClass.map(BankText.init), message: message.map(BankText.init)))
    }

    @Test(
        arguments: [
            ("authenticator://oauth/redirect?id=812&access_token=Zt4m0", "Zt4m0", "812"),
            ("authenticator://oauth/redirect?access_token=Zt4m0", "Zt4m0", nil),
            ("authenticator://oauth/redirect?id=&access_token=Zt4m0", "Zt4m0", nil),
            ("authenticator://oauth/redirect/?access_token=a%2Bb+c%3D%3D&id=1+2", "a+b+c==", "1+2"),
            ("authenticator://oauth/redirect?access_token=a&access_token=b", "a", nil),
            ("authenticator://oauth/redirect?access_token=a&error_class=X", "a", nil),
            ("authenticator://oauth/redirect?access_token=a#access_token=b", "a", nil),
            ("http://127.0.0.1:4711/c/9f?access_token=a", "a", nil),
            ("http://127.0.0.1:4711/c/9f/?access_token=a", "a", nil),
            (" http://127.0.0.1:4711/c/9f?access_token=a\n", "a", nil),
            // JSON in the path, where there is no query.
            ("authenticator://oauth/redirect/%7B%22access_token%22%3A%22Zt4m0%22%2C%22id%22%3A812%7D", "Zt4m0", "812"),
            ("authenticator://oauth/redirect/{\"access_token\":\"a+b\",\"id\":\"9\"}", "a+b", "9"),
        ] as [(String, String, String?)])
    func success(_ address: String, _ token: String, _ id: String?) {
        #expect(Redirect.parse(address, returnURL: Self.loopback) == grant(token, id))
    }

    @Test(
        arguments: [
            (
                "authenticator://oauth/redirect?error_class=AUTH_SESSION_EXPIRED&error_message=Session%20is%20over",
                "AUTH_SESSION_EXPIRED", "Session is over"
            ),
            (
                "authenticator://oauth/redirect?error_class=AUTHENTICATION_FAILED&error_message=No+such%2Buser",
                "AUTHENTICATION_FAILED", "No such+user"
            ),
            ("authenticator://oauth/redirect?error_message=Ung%C3%BCltig", nil, "Ungültig"),
            ("http://127.0.0.1:4711/c/9f?error_class=X", "X", nil),
            ("http://127.0.0.1:4711/c/9f?error_class=X&access_token=", "X", nil),
            ("authenticator://oauth/redirect/%7B%22error_class%22%3A%22X%22%7D", "X", nil),
        ] as [(String, String?, String?)])
    func failure(_ address: String, _ errorClass: String?, _ message: String?) {
        #expect(Redirect.parse(address, returnURL: Self.loopback) == refusal(errorClass, message))
    }

    @Test(arguments: [
        "", "https://b.example/?access_token=a", "authenticator://oauth/redirectx?access_token=a",
        "authenticator://oauth/redirect&access_token=a", "authenticator://oauth/redirect.evil?access_token=a",
        "http://127.0.0.1:4711/c/9?access_token=a", "http://127.0.0.1:4711/c/9ff?access_token=a",
        "http://127.0.0.1:47110/c/9f?access_token=a", "http://127.0.0.1:4711/c/9f", "http://127.0.0.1:4711/c/9f?",
        "authenticator://oauth/redirect?access_token=", "authenticator://oauth/redirect?id=812",
        "authenticator://oauth/redirect?access_token=%zz", "authenticator://oauth/redirect?access_token=%ff",
        "authenticator://oauth/redirect?access_token=a&id=%",
        "authenticator://oauth/redirect?access_token=a&id=\(String(repeating: "1", count: 1025))",
        "authenticator://oauth/redirect#access_token=a", "authenticator://oauth/redirect/access_token",
        "authenticator://oauth/redirect/[\"access_token\"]", "authenticator://oauth/redirect/{\"access_token\":",
        "authenticator://oauth/redirect/{\"access_token\":\"\"}",
        "authenticator://oauth/redirect{\"access_token\":\"a\"}",
        "authenticator://oauth/redirect?access_token=" + String(repeating: "a", count: 65536),
    ])
    func notForUs(_ address: String) {
        #expect(Redirect.parse(address, returnURL: Self.loopback) == nil)
    }

    @Test func theDefaultIsTakenOnlyWhereItIsOne() {
        let address = "authenticator://oauth/redirect?access_token=a"
        #expect(Redirect.parse(address, returnURL: Self.loopback, alsoDefault: "fern://back") == nil)
        #expect(Redirect.parse(address, returnURL: "", alsoDefault: "") == nil)
    }
}
