import Basics
@testable import PrivacyIDEA
import ApprovalModel
import Keys
import Testing

/// Links of push tokens: what is read from a good one, and the one reason for which a bad one is refused.
struct LinkTests {
    static let url = "https%3A//mfa.fern.example/ttype/push"
    static let rest =
        "url=\(url)&ttl=10&issuer=Fern&enrollment_credential=00112233445566778899aabbccddeeff00112233&v=1&serial=PIPU0000ABCD&sslverify=1&poll_only=True"

    static func push(_ link: String) throws -> PushLink? {
        guard case .connect(let connect)? = try PushLinks().read(LinkText(link)) else { return nil }
        return connect.content as? PushLink
    }

    @Test func theLinkOfTheProtocolPage() throws {
        let link = try #require(
            try Self.push("otpauth://pipush/mira%40fern%20PIPU0000ABCD?\(Self.rest)"))
        #expect(link.endpoint.text == "https://mfa.fern.example/ttype/push" && link.serial.text == "PIPU0000ABCD")
        #expect(link.credential == "00112233445566778899aabbccddeeff00112233" && link.minutes == 10)
        #expect(link.issuer == BankText("Fern") && link.label == BankText("mira@fern PIPU0000ABCD"))
        #expect(!link.isPushed && !link.wantsBiometrics)
    }

    @Test(arguments: [
        "pia://pipush/x?", "PIA://PiPush/x?", "otpauth://pipush?", "pia://pipush/?", "otpauth://PIPUSH/a/b?",
    ])
    func theirFormsOfOneLink(_ beginning: String) throws {
        #expect(try Self.push(beginning + Self.rest)?.serial.text == "PIPU0000ABCD")
    }

    @Test(arguments: [
        ("mira", "mira"), ("Fern:mira", "mira"), ("Fern%3Amira", "mira"), ("Fern%3A%20mira", "mira"),
        ("fern:mira", "fern:mira"), ("Other:mira:x", "Other:mira:x"), ("a%252Fb", "a%2Fb"), ("a+b", "a+b"), ("", ""),
    ])
    func theLabelWithoutItsIssuer(_ path: String, _ label: String) throws {
        #expect(try Self.push("pia://pipush/\(path)?\(Self.rest)")?.label == BankText(label))
    }

    @Test(arguments: [
        ("poll_only=True", false), ("poll_only=true", false), ("poll_only=False", true), ("x=y", true),
    ])
    func whetherTheServerWouldPush(_ parameter: String, _ isPushed: Bool) throws {
        let rest = Self.rest.replacing("poll_only=True", with: parameter)
        #expect(try Self.push("pia://pipush/x?" + rest)?.isPushed == isPushed)
    }

    @Test(arguments: [
        ("ttl=3", 3), ("ttl=many", 10), ("ttl=", 10), ("x=y", 10),
    ])
    func forHowLongItServes(_ parameter: String, _ minutes: Int) throws {
        let rest = Self.rest.replacing("ttl=10", with: parameter)
        #expect(try Self.push("pia://pipush/x?" + rest)?.minutes == minutes)
    }

    @Test(arguments: [
        "projectid=p&projectnumber=1&appid=a&apikey=k&appidios=b&apikeyios=c", "creator=x&image=https%3A//x.example/i",
        "pin=True&app_force_unlock=any", "sslverify2=0",
    ])
    func whatIsNotForUsChangesNothing(_ more: String) throws {
        #expect(try Self.push("pia://pipush/x?\(Self.rest)&\(more)") == Self.push("pia://pipush/x?\(Self.rest)"))
    }

    /// The link's advice not to check certificates is not even read.
    @Test func sslverifyIsIgnored() throws {
        let rest = Self.rest.replacing("sslverify=1", with: "sslverify=0")
        #expect(try Self.push("pia://pipush/x?" + rest) == Self.push("pia://pipush/x?" + Self.rest))
    }

    @Test(arguments: ["biometric", "Biometric", "BIOMETRIC"])
    func fingerprintsAreNoted(_ word: String) throws {
        #expect(try Self.push("pia://pipush/x?\(Self.rest)&app_force_unlock=\(word)")?.wantsBiometrics == true)
    }

    @Test func theAddressKeepsItsOwnQuery() throws {
        let rest = Self.rest.replacing(Self.url, with: "https%3A//mfa.fern.example/push%3Ftenant%3D1")
        #expect(
            try Self.push("pia://pipush/x?" + rest)?.endpoint.text == "https://mfa.fern.example/push?tenant=1")
    }

    static let faults: [(String, String, LinkError.Kind)] = [
        ("v=1", "v=2", .unknownVersion), ("v=1", "v=", .incomplete), ("&v=1", "", .incomplete),
        ("&serial=PIPU0000ABCD", "", .incomplete), ("serial=PIPU0000ABCD", "serial=", .incomplete),
        ("url=\(url)&", "", .incomplete),
        ("&enrollment_credential=00112233445566778899aabbccddeeff00112233", "", .incomplete),
        (url, "http%3A//mfa.fern.example/", .badAddress(.insecure)),
        (url, "mfa.fern.example", .badAddress(.notAbsolute)),
        (url, "https%3A//u%40mfa.fern.example/", .badAddress(.userInformation)),
        (url, "https%3A//mfa.fern.example/%23x", .foreignAddress),
        ("sslverify=1", "url=\(url)", .ambiguous), ("sslverify=1", "v=1", .ambiguous),
        ("sslverify=1", "%76=1", .ambiguous), ("issuer=Fern", "issuer=%ZZ", .badEncoding),
        ("issuer=Fern", "issuer=%FF", .badEncoding), ("PIPU0000ABCD", "A%7CB", .badEncoding),
        ("PIPU0000ABCD", "Zo%C3%AB", .badEncoding), ("PIPU0000ABCD", String(repeating: "x", count: 129), .badEncoding),
        ("ttl=10", "ttl=0", .over), ("ttl=10", "ttl=-5", .over),
        ("issuer=Fern", "issuer=" + String(repeating: "x", count: 8192), .tooLong),
    ]

    @Test(arguments: faults)
    func oneFaultOneReason(_ part: String, _ instead: String, _ kind: LinkError.Kind) {
        #expect { try Self.push("pia://pipush/x?" + Self.rest.replacing(part, with: instead)) } throws: {
            ($0 as? LinkError)?.kind == kind
        }
    }

    @Test(arguments: [
        ("otpauth://totp/x?secret=AAAA", LinkError.Kind.otherKind), ("pia://container/SMPH1?x=y", .otherKind),
        ("pia:pipush/x?" + rest, .notALink), ("pia://pipush.example/x?" + rest, .otherKind),
    ])
    func linksOfOtherKinds(_ link: String, _ kind: LinkError.Kind) {
        #expect { try Self.push(link) } throws: { ($0 as? LinkError)?.kind == kind }
    }

    @Test(arguments: ["authenticator://saltedge.com/connect?configuration=x", "https://pipush/x?" + rest])
    func linksOfOtherProgramsAreNotOurs(_ link: String) throws {
        let read = try PushLinks().read(LinkText(link))
        #expect(read.map { _ in true } == nil)
    }

    @Test func aLinkIsForTheSameTokenAtTheSameAddress() throws {
        guard case .connect(let connect)? = try PushLinks().read(LinkText("pia://pipush/x?" + Self.rest)) else {
            Issue.record("no link")
            return
        }
        func connection(_ serial: String, _ address: String, _ wire: WireProtocol) throws -> Connection {
            Connection(
                guid: ConnectionGUID("g"), name: try #require(ConnectionName("fern")), keyID: KeyID("k"),
                enrolled: EnrolledConnection(
                    id: try #require(BankID(serial)), wireProtocol: wire, baseURL: try WebAddress(address),
                    bankName: BankText("Fern")),
                createdAt: .distantPast, updatedAt: .distantPast)
        }
        let here = "https://mfa.fern.example/ttype/push"
        #expect(connect.isFor(try connection("PIPU0000ABCD", here, .push)))
        #expect(try !connect.isFor(connection("PIPU0000ABCE", here, .push)))
        #expect(try !connect.isFor(connection("PIPU0000ABCD", here + "2", .push)))
        #expect(try !connect.isFor(connection("PIPU0000ABCD", here, WireProtocol(rawValue: "other"))))
    }
}
