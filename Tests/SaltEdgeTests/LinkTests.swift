import Basics
import ApprovalModel
@testable import SaltEdge
import Testing

@Suite struct LinkTests {
    @Test(
        arguments: [
            ("authenticator://saltedge.com/connect?configuration=https://b.example/x", "https://b.example/x", nil),
            (
                "authenticator://saltedge.com/connect?configuration=https%3A%2F%2Fb.example%2Fx%3Fa%3D1%2526",
                "https://b.example/x?a=1%26", nil
            ),
            (
                "authenticator://saltedge.com/connect?configuration=https://b.example/x&connect_query=k7Qx",
                "https://b.example/x", "k7Qx"
            ),
            (
                "authenticator://s/c?connect_query=a+b%2B%3D%25==&configuration=https://b.example/x",
                "https://b.example/x", "a+b+=%=="
            ),
            ("authenticator://s/c?configuration=https://b.example/x&connect_query=", "https://b.example/x", nil),
            (
                "authenticator://s/c?configuration=https://b.example/1&configuration=https://b.example/2",
                "https://b.example/1", nil
            ),
            ("AUTHENTICATOR:?configuration=https://b.example/x", "https://b.example/x", nil),
            ("  authenticator://elsewhere/what/ever?configuration=https://b.example/x\n", "https://b.example/x", nil),
            ("authenticator://s/c?configuration=https://b.example/x#part", "https://b.example/x", nil),
            ("authenticator://s/c?configuration=http://localhost:8585/c", "http://localhost:8585/c", nil),
            ("authenticator://s/c?configuration=https://localhost/c", "https://localhost/c", nil),
            ("authenticator://s/c?configuration=https://198.51.100.4/c", "https://198.51.100.4/c", nil),
            // An incomplete action does not make the link ambiguous.
            ("authenticator://s/c?configuration=https://b.example/x&action_uuid=7", "https://b.example/x", nil),
            ("authenticator://s/c?configuration=https://b.example/x&api_version=2", "https://b.example/x", nil),
            ("authenticator://s/c?configuration=https://b.example/x&api_version=3", "https://b.example/x", nil),
        ] as [(String, String, String?)])
    func connect(_ text: String, _ configuration: String, _ query: String?) throws {
        let expected = SaltEdgeConnect(
            configuration: try WebAddress(configuration), connectQuery: query.map(BankText.init))
        #expect(try SaltEdgeLink.parse(text) == .connect(expected))
    }

    @Test(
        arguments: [
            ("authenticator://saltedge.com/action?action_uuid=u-1&connect_url=https://b.example", nil),
            (
                "authenticator://saltedge.com/connect/action?action_uuid=u-1&connect_url=https%3A%2F%2Fb.example&return_to=",
                nil
            ),
            (
                "authenticator://s/a?action_uuid=u-1&connect_url=https://b.example&return_to=https://shop.example/a%3Fb",
                "https://shop.example/a?b"
            ),
            ("authenticator://s/a?api_version=1&action_uuid=u-1&connect_url=https://b.example&action_uuid=u-2", nil),
        ] as [(String, String?)])
    func actionV1(_ text: String, _ returnTo: String?) throws {
        let target = SaltEdgeAction.Target.uuid(BankText("u-1"), bank: try WebAddress("https://b.example"))
        #expect(
            try SaltEdgeLink.parse(text)
                == .action(SaltEdgeAction(target: target, returnTo: returnTo.map(BankText.init))))
    }

    @Test(
        arguments: [
            ("authenticator://saltedge.com/action?api_version=2&action_id=4711&provider_id=9", nil),
            ("authenticator://s/a?api_version=2&action_id=4711&provider_id=9&return_to=app%3A%2F%2Fx", "app://x"),
            (
                "authenticator://s/a?api_version=2&action_id=4711&provider_id=9&action_uuid=u&connect_url=https://b.example",
                nil
            ),
        ] as [(String, String?)])
    func actionV2(_ text: String, _ returnTo: String?) throws {
        let target = SaltEdgeAction.Target.id(BankText("4711"), provider: BankText("9"))
        #expect(
            try SaltEdgeLink.parse(text)
                == .action(SaltEdgeAction(target: target, returnTo: returnTo.map(BankText.init))))
    }

    @Test(arguments: [
        ("", LinkError.Kind.notALink), ("hello", .notALink), ("://x?configuration=https://b.example", .notALink),
        ("a b:?x=y", .notALink), ("authenticator://s/c?configuration=https://b.example/\u{7}", .notALink),
        ("https://saltedge.com/connect?configuration=https://b.example/x", .unknownScheme),
        ("authenticatorx://s?configuration=https://b.example/x", .unknownScheme),
        ("authenticator://saltedge.com/connect", .nothingUsable), ("authenticator://s/c?", .nothingUsable),
        ("authenticator://s/c?x=y&&=&z", .nothingUsable), ("authenticator://s/c?connect_query=q", .nothingUsable),
        ("authenticator://s/c#?configuration=https://b.example/x", .nothingUsable),
        ("authenticator://s/a?action_uuid=&connect_url=https://b.example", .nothingUsable),
        ("authenticator://s/a?action_uuid=u", .incomplete),
        ("authenticator://s/a?action_id=1&provider_id=2", .incomplete),
        ("authenticator://s/a?api_version=2&action_id=1", .incomplete),
        ("authenticator://s/a?api_version=2&provider_id=1", .incomplete),
        ("authenticator://s/a?api_version=2&action_uuid=u&connect_url=https://b.example", .incomplete),
        ("authenticator://s/a?api_version=3&action_id=1&provider_id=2", .unknownVersion),
        ("authenticator://s/a?api_version=02&action_id=1&provider_id=2", .unknownVersion),
        (
            "authenticator://s/a?configuration=https://b.example/x&action_uuid=u&connect_url=https://b.example",
            .ambiguous
        ),
        ("authenticator://s/a?configuration=https://b.example/x&api_version=2&action_id=1&provider_id=2", .ambiguous),
        ("authenticator://s/c?configuration=%zz", .badEncoding), ("authenticator://s/c?configuration=%f", .badEncoding),
        ("authenticator://s/c?configuration=https://b.example/x&connect_query=%ff", .badEncoding),
        ("authenticator://s/a?action_uuid=%&connect_url=https://b.example", .badEncoding),
        ("authenticator://s/c?configuration=", .badAddress(.notAbsolute)),
        ("authenticator://s/c?configuration=nonsense", .badAddress(.notAbsolute)),
        ("authenticator://s/c?configuration=http://b.example/x", .badAddress(.insecure)),
        ("authenticator://s/c?configuration=https://gw/x", .badAddress(.dotlessHost)),
        ("authenticator://s/a?action_uuid=u&connect_url=", .badAddress(.notAbsolute)),
        ("authenticator://s/a?action_uuid=u&connect_url=http://b.example", .badAddress(.insecure)),
        // Decoded once, not twice.
        ("authenticator://s/c?configuration=https%253A%252F%252Fb.example", .badAddress(.notAbsolute)),
        ("authenticator://s/c?configuration=https://b.example/" + String(repeating: "x", count: 16384), .tooLong),
    ])
    func refusals(_ text: String, _ kind: LinkError.Kind) {
        #expect { try SaltEdgeLink.parse(text) } throws: { ($0 as? LinkError)?.kind == kind }
    }

    @Test func otherSchemesCanBeConfigured() throws {
        let text = "fern-bank://x?configuration=https://b.example/x"
        let expected = SaltEdgeConnect(configuration: try WebAddress("https://b.example/x"), connectQuery: nil)
        #expect(try SaltEdgeLink.parse(text, schemes: ["authenticator", "Fern-Bank"]) == .connect(expected))
        #expect { try SaltEdgeLink.parse(text) } throws: { ($0 as? LinkError)?.kind == .unknownScheme }
    }

    @Test(arguments: [
        ("https://b.example/api/authenticator/v2/configurations/9", WireProtocol.saltEdgeV2),
        ("https://b.example/authenticator/2/x", .saltEdgeV2), ("https://b.example/authenticator/v2", .saltEdgeV2),
        ("https://b.example/api/authenticator/v1/configuration", .saltEdgeV1),
        ("https://b.example/sca.json", .saltEdgeV1),
        ("https://b.example/authenticator", .saltEdgeV1), ("https://b.example/authenticator/", .saltEdgeV1),
        ("https://b.example", .saltEdgeV1), ("https://b.example/authenticator/v22/x", .saltEdgeV1),
        ("https://b.example/v2/authenticator/x", .saltEdgeV1),
        ("https://b.example/x?y=/authenticator/v2/z", .saltEdgeV1),
    ])
    func versionDispatch(_ address: String, _ expected: WireProtocol) throws {
        #expect(WireProtocol(configurationAt: try WebAddress(address)) == expected)
    }
}
