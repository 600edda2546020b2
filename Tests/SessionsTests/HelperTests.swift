import Basics
import FoundationEssentials
import Testing

@testable import Sessions

/// The protocols of git's and Kubernetes' helpers, by their text.
struct HelperTests {
    private let expiry = Date(timeIntervalSince1970: 1_900_000_000)

    private func git(_ lines: String...) -> GitCredential { GitCredential(lines) }

    @Test(
        arguments: [
            (
                ["protocol=https", "host=git.example:8443", "path=group/a b%2f?x#y.git"],
                "https://git.example:8443/group/a%20b%252f%3Fx%23y.git"
            ),
            (["protocol=https", "host=git.example"], "https://git.example"), (["host=git.example"], nil),
            (["protocol=https"], nil),
            (["protocol=http", "host=git.example"], nil),
            (["protocol=http", "host=localhost:8080"], "http://localhost:8080"),
            (["protocol=ssh", "host=git.example"], nil), (["protocol=https", "host=a@git.example"], nil),
            (["protocol=https", "", "host=git.example"], nil),
            // Whatever can be read in two ways.
            (["protocol=https", "host=evil.example", "host=git.example"], nil),
            (["protocol=https", "host=git.example", "path=a", "path=b"], nil),
            (["protocol=https", "host=git.example/x"], nil), (["protocol=https", "host=git.example?x"], nil),
            (["protocol=https", "host=git.example", "path=evil/x/../../mine/r"], nil),
            (["protocol=https", "host=git.example", "path=a/./b"], nil),
            (["protocol=https", "host=git.example", "path=a/..b/.c"], "https://git.example/a/..b/.c"),
        ] as [([String], String?)])
    func addresses(_ row: (lines: [String], address: String?)) {
        #expect(GitCredential(row.lines).address?.text == row.address)
        #expect((GitCredential(row.lines).request == nil) == (row.address == nil))
    }

    /// Older versions say nothing of the challenge; newer ones may ask before there was one.
    @Test func challenges() {
        let place = ["protocol=https", "host=git.example"]
        #expect(GitCredential(place).request?.challenge == [])
        #expect(GitCredential(place + ["capability[]=authtype"]).request?.challenge == nil)
        let read = GitCredential(
            place + ["wwwauth[]=Old", "wwwauth[]=", "wwwauth[]=Basic realm=x", "wwwauth[]=Bearer"])
        #expect(read.request?.challenge == ["Basic realm=x", "Bearer"])
    }

    @Test func passwords() {
        let place = ["protocol=https", "host=git.example"]
        let old = "username=oauth2\npassword=t\npassword_expiry_utc=1900000000\n"
        #expect(GitCredential(place).answer("t", userName: nil, expiry: expiry) == old)
        #expect(GitCredential(place + ["wwwauth[]=Bearer"]).answer("t", userName: nil, expiry: expiry) == old)
        #expect(git("username=ada").answer("t", userName: nil, expiry: nil) == "username=ada\npassword=t\n")
        #expect(git("username=ada").answer("t", userName: "x", expiry: nil) == "username=x\npassword=t\n")
        // A server that asks for Basic alone may take nothing else.
        let basic = GitCredential(place + ["capability[]=authtype", "wwwauth[]=Basic realm=x"])
        #expect(basic.answer("t", userName: nil, expiry: expiry) == old)
    }

    @Test func bearerTokens() {
        let answer = """
            capability[]=authtype
            authtype=Bearer
            credential=t
            ephemeral=1
            password_expiry_utc=1900000000

            """
        let place = ["capability[]=state", "capability[]=authtype", "protocol=https", "host=git.example"]
        #expect(GitCredential(place).answer("t", userName: "x", expiry: expiry) == answer)
        let both = GitCredential(place + ["wwwauth[]=Basic realm=x", "wwwauth[]=Bearer"])
        #expect(both.answer("t", userName: nil, expiry: expiry) == answer)
    }

    @Test func rejected() throws {
        #expect(git("protocol=https").secret == nil)
        for line in ["password=a1", "credential=a1"] { #expect(git(line).secret == "a1") }
    }

    /// A git that sends passwords alone sent none to a server that takes only bearer tokens.
    @Test(
        arguments: [
            ([], nil), (["wwwauth[]="], nil), (["wwwauth[]=Bearer realm=x"], false), (["wwwauth[]=Negotiate"], false),
            (["wwwauth[]=Bearer", "wwwauth[]=Basic realm=x"], true),
            (["capability[]=authtype"], true), (["capability[]=authtype", "wwwauth[]=Bearer"], true),
        ] as [([String], Bool?)])
    func whatWasNotSentWasNotRejected(_ row: (lines: [String], wasSent: Bool?)) {
        #expect(
            GitCredential(["protocol=https", "host=git.example", "password=a1"] + row.lines).wasSent == row.wasSent)
    }

    // MARK: Kubernetes

    private func information(_ version: String, _ spec: String = "{}") -> String {
        #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/\#(version)","spec":\#(spec)}"#
    }

    @Test(arguments: ["v1", "v1beta1"])
    func anAnswer(_ version: String) throws {
        let asked = try KubernetesCredential(information(version, #"{"interactive":true,"cluster":{}}"#))
        #expect(asked.isInteractive)
        #expect(
            try asked.answer("t/k", until: expiry) == """
                {"apiVersion":"client.authentication.k8s.io/\(version)","kind":"ExecCredential",\
                "status":{"expirationTimestamp":"2030-03-17T17:46:40Z","token":"t/k"}}

                """)
        let bare = try KubernetesCredential(information(version))
        #expect(!bare.isInteractive)
        #expect(
            try KubernetesCredential(nil).answer("t", until: nil).contains(#""status":{"token":"t"}"#))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"kind":"Pod","apiVersion":"client.authentication.k8s.io/v1"}"#,
        #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v2"}"#,
    ])
    func whatIsNotSpoken(_ information: String) {
        #expect(throws: Failure.self) { try KubernetesCredential(information) }
    }
}
