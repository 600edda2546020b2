import Basics
import FoundationEssentials
import ApprovalModel
import Keys
import Testing

@testable import Tiqr

/// The grammar of links (tiqr section 3).
struct TiqrLinkTests {
    private static func read(_ text: String, oldestVersion: Int = 1) throws -> TiqrLink? {
        try TiqrLink.parse(try LinkText(text), [.anyone, .eduID], oldestVersion: oldestVersion)
    }

    private static func challenge(_ text: String) throws -> TiqrChallenge {
        guard case .challenge(let challenge) = try read(text) else { throw LinkError(.nothingUsable, "no challenge") }
        return challenge
    }

    private static func enroll(_ text: String) throws -> TiqrEnroll {
        guard case .enroll(let enroll) = try read(text) else { throw LinkError(.nothingUsable, "no enrollment") }
        return enroll
    }

    private static func connection(_ user: String, _ service: String) throws -> Connection {
        Connection(
            guid: ConnectionGUID(user + service), name: ConnectionName(suggestedBy: BankText(user)), keyID: KeyID("k"),
            enrolled: EnrolledConnection(
                id: try #require(BankID(user)), wireProtocol: .tiqr, baseURL: try WebAddress("https://fern.example"),
                bankName: BankText("Fern"),
                state: try ProviderState(TiqrState(service: service, suite: "", enrollment: nil))),
            createdAt: .init(timeIntervalSince1970: 0), updatedAt: .init(timeIntervalSince1970: 0))
    }

    // MARK: Enrollment

    @Test(
        arguments: [
            "tiqrenroll://https://login.fern.example/tiqr/meta?key=9b1c",
            "TIQRENROLL://https://login.fern.example/tiqr/meta?key=9b1c",
            // As browsers change it when it is clicked.
            "tiqrenroll://https//login.fern.example/tiqr/meta?key=9b1c",
            "https://tiqr.org/tiqrenroll?metadata=https%3A%2F%2Flogin.fern.example%2Ftiqr%2Fmeta%3Fkey%3D9b1c",
            "https://tiqr.org/tiqrenroll/?x=1&metadata=https%3A%2F%2Flogin.fern.example%2Ftiqr%2Fmeta%3Fkey%3D9b1c",
        ])
    func enrollmentLinks(_ text: String) throws {
        #expect(try Self.enroll(text).metadata.text == "https://login.fern.example/tiqr/meta?key=9b1c")
    }

    @Test func linksOfEduIDLeadToItsHostsAlone() throws {
        let good =
            "https://eduid.nl/tiqrenroll/?metadata=https%3A%2F%2Flogin.eduid.nl%2Ftiqr%2Fmetadata%3Fenrollment_key%3D9b1c"
        let enroll = try Self.enroll(good)
        #expect(enroll.metadata.host == "login.eduid.nl" && enroll.link?.host == "eduid.nl")
        for host in ["evil.example", "eduid.nl.evil.example", "xeduid.nl", "surfconext.nl.evil.example"] {
            let foreign = LinkError(.foreignAddress, "links of this kind may not lead to \(host)")
            #expect(throws: foreign) { try Self.enroll("eduidenroll://https://\(host)/m") }
            #expect(throws: foreign) {
                try Self.enroll("https://eduid.nl/tiqrenroll/?metadata=https%3A%2F%2F\(host)%2Fm")
            }
            #expect(throws: foreign) { try Self.challenge("eduidauth://\(host)/00ff/1234") }
        }
        #expect(try Self.enroll("eduidenroll://https://LOGIN.SURFconext.nl/m").metadata.host == "login.surfconext.nl")
    }

    @Test(
        arguments: [
            ("tiqrenroll:https://login.fern.example/m", LinkError.Kind.notALink),
            ("tiqrenroll://http://login.fern.example/m", .badAddress(.insecure)),
            ("tiqrenroll://ann@login.fern.example/m", .badAddress(.notAbsolute)),
            ("tiqrenroll://https://ann@login.fern.example/m", .badAddress(.userInformation)),
            ("tiqrenroll://https:/login.fern.example/m", .badAddress(.notAbsolute)),
            ("tiqrenroll://https:login.fern.example/m", .badAddress(.notAbsolute)),
            ("tiqrenroll://javascript:alert(1)", .badAddress(.notAbsolute)),
            ("tiqrenroll://file:///etc/passwd", .badAddress(.otherScheme)),
            ("tiqrenroll://", .badAddress(.notAbsolute)),
            ("tiqrenroll://https://" + String(repeating: "a", count: 8200), .tooLong),
            ("https://eduid.nl/tiqrenroll/", .incomplete), ("https://eduid.nl/tiqrenroll/?metadata=", .incomplete),
            ("https://eduid.nl/tiqrenroll/?metadata=%zz", .badAddress(.notAbsolute)),
            ("https://eduid.nl/tiqrenroll/?metadata=a&metadata=b", .ambiguous),
            // Only one that a browser mangled is mended.
            ("https://tiqr.org/tiqrenroll/?metadata=https%2F%2Flogin.fern.example%2Fm", .badAddress(.notAbsolute)),
        ])
    func enrollmentLinksThatCannotBeUsed(_ text: String, _ kind: LinkError.Kind) {
        #expect { try Self.read(text) } throws: { ($0 as? LinkError)?.kind == kind }
    }

    // MARK: Challenges

    @Test func aWholeChallenge() throws {
        let link =
            "tiqrauth://mira@login.fern.example/00112233445566778899aabbccddeeff/0123456789/Fern+Wiki/2?https%3A%2F%2Ffern.example%2Fback"
        let challenge = try Self.challenge(link)
        #expect(challenge.user == "mira" && challenge.service == "login.fern.example" && challenge.version == 2)
        #expect(challenge.sessionKey.untrusted == "00112233445566778899aabbccddeeff")
        #expect(challenge.question.untrusted == "0123456789" && challenge.site?.untrusted == "Fern Wiki")
        #expect(challenge.returnTo?.untrusted == "https://fern.example/back")
    }

    @Test(
        arguments: [
            "tiqrauth://bob_fern@org.fern/14778743573487646832/0117850219/Fern%20PI",
            "tiqr://org.fern/14778743573487646832/0117850219", "tiqrauth://org.fern/14778743573487646832/0117850219/",
            "tiqrauth://org.fern/14778743573487646832/0117850219//",
            "https://eduid.nl/tiqrauth/?u=1f0a-77&s=14778743573487646832&q=0117850219&i=eduID",
            "https://eduid.nl/tiqrauth?s=14778743573487646832&q=0117850219&i=eduID&v=1",
        ])
    func challengesWithPartsMissing(_ text: String) throws {
        let challenge = try Self.challenge(text)
        #expect(challenge.sessionKey.untrusted == "14778743573487646832" && challenge.version == 1)
        #expect(challenge.question.untrusted == "0117850219" && challenge.returnTo == nil)
    }

    @Test(
        arguments: [
            ("https://fern.example/?a=1&b=2", "https://fern.example/?a=1&b=2"),
            ("https%3A%2F%2Ffern.example%2F%3Fa%3D1", "https://fern.example/?a=1"), ("javascript:alert(1)", nil),
            ("javascript%3Aalert(1)", nil), ("file:///etc/passwd", nil), ("", nil), ("fern.example", nil),
            ("HTTP://fern.example", "HTTP://fern.example"),
        ])
    func whereABrowserMayGoAfterwards(_ query: String, _ page: String?) throws {
        let challenge = try Self.challenge("tiqrauth://org.fern/00ff/1234/a/2?\(query)")
        #expect(challenge.returnTo?.untrusted == page)
    }

    @Test(
        arguments: [
            ("tiqrauth://login.fern.example", LinkError.Kind.incomplete),
            ("tiqrauth://login.fern.example/00ff", .incomplete),
            ("tiqrauth:///00ff/1234", .badEncoding), ("tiqrauth://@login.fern.example/00ff/1234", .badEncoding),
            ("tiqrauth://login.fern.example/" + String(repeating: "0", count: 8200) + "/1234", .tooLong),
            ("https://eduid.nl/tiqrenroll/?metadata=https%3A%2F%2Flogin.fern.example%2Fm", .foreignAddress),
            ("tiqrauth://fern.example//1234", .incomplete), ("tiqrauth://fern.example/00ff//a/2", .incomplete),
            ("tiqrauth://fern.example/00ff/1234/a/2/b", .nothingUsable),
            ("tiqrauth://fern.example/00ff/1234/a/two", .unknownVersion),
            ("tiqrauth://fern.example/00ff/1234/a/-1", .unknownVersion),
            ("tiqrauth://fern.example/00ff/1234/a/0", .unknownVersion),
            ("tiqrauth://fern.example/%zz/1234", .badEncoding),
            ("https://eduid.nl/tiqrauth/?s=00ff&s=00ff&q=1234&i=x", .ambiguous),
            ("https://eduid.nl/tiqrauth/?s=00ff&q=1234&i=x&v=1&v=1", .ambiguous),
            ("https://eduid.nl/tiqrauth/?s=00ff&q=1234", .incomplete),
            ("https://eduid.nl/tiqrauth/?q=1234&i=x", .incomplete),
        ])
    func challengesThatCannotBeUsed(_ text: String, _ kind: LinkError.Kind) {
        #expect { try Self.read(text) } throws: { ($0 as? LinkError)?.kind == kind }
    }

    @Test(
        arguments: [
            "https://eduid.nl.evil.example/tiqrauth/?s=00ff&q=1234&i=x",
            "https://mira@eduid.nl/tiqrauth/?s=00ff&q=1&i=x",
            "https://eduid.nl:8443/tiqrauth/?s=00ff&q=1234&i=x", "https://eduid.nl/tiqrauth/more?s=00ff&q=1234&i=x",
            "https://eduid.nl/tiqrauth//?s=00ff&q=1234&i=x", "https://eduid.nl/TIQRAUTH/?s=00ff&q=1234&i=x",
            "https://eduid.nl/?s=00ff&q=1234&i=x", "http://eduid.nl/tiqrauth/?s=00ff&q=1234&i=x",
            "authenticator://x?y=z", "tiqrauthx://fern.example/00ff/1234",
        ])
    func linksOfOthers(_ text: String) throws {
        #expect(try Self.read(text) == nil)
    }

    @Test func oldVersionsMayBeRefused() throws {
        #expect(throws: LinkError(.unknownVersion, "the link is of a protocol version that is no longer accepted")) {
            try Self.read("tiqrauth://fern.example/00ff/1234", oldestVersion: 2)
        }
        #expect(try Self.challenge("tiqrauth://fern.example/00ff/1234/a/99999999999999999999").version == 2)
    }

    // MARK: Whom it is for

    @Test func accountsAreNamedAsTheServerHasThem() throws {
        let ann = try Self.connection("ann b+c@x", "login.fern.example")
        let other = try Self.connection("ann b c@x", "login.fern.example")
        let challenge = try Self.challenge("tiqrauth://ann+b%2Bc%40x@login.fern.example/00ff/1234")
        #expect(challenge.matches([ann, other]).map(\.id.text) == ["ann b+c@x"])
        // A plus that was not encoded may mean either: the person is asked.
        let unclear = try Self.challenge("tiqrauth://b+c@login.fern.example/00ff/1234")
        let both = [try Self.connection("b+c", "login.fern.example"), try Self.connection("b c", "login.fern.example")]
        #expect(unclear.matches(both).count == 2)
    }

    @Test func servicesAreComparedExactlyFirst() throws {
        let lower = try Self.connection("mira", "login.fern.example")
        let upper = try Self.connection("mira", "Login.Fern.example")
        let challenge = try Self.challenge("tiqrauth://mira@login.fern.example/00ff/1234")
        #expect(challenge.matches([lower, upper]).map(\.guid) == [lower.guid])
        #expect(challenge.matches([upper]).map(\.guid) == [upper.guid])
        let third = try Self.connection("mira", "LOGIN.fern.example")
        #expect(challenge.matches([upper, third]).isEmpty)
        #expect(challenge.matches([try Self.connection("mira", "login.elm.example")]).isEmpty)
        #expect(challenge.matches([try Self.connection("MIRA", "login.fern.example")]).isEmpty)
    }

    @Test func aServiceMayHaveSpaces() throws {
        let local = try Self.connection("mira", "eduID local")
        for name in ["eduID+local", "eduID%20local"] {
            let challenge = try Self.challenge("https://eduid.nl/tiqrauth/?s=00ff&q=1234&i=\(name)")
            #expect(challenge.matches([local]).count == 1)
        }
    }
}
