import Basics
import ApprovalModel
import Testing
import Web

@testable import Tiqr

/// What servers say, in whichever form (tiqr sections 5.3 and 5.4), and of themselves (tiqr section 4.1).
struct TiqrReplyTests {
    private static let answers: [(String, TiqrReply.Meaning)] = [
        ("OK", .accepted), (" OK\r\n", .accepted), ("\u{FEFF}OK", .accepted),
        ("\"OK\"", .accepted),
        ("ok", .foreign), ("OK!", .foreign), ("<p>OK</p>", .foreign), ("", .foreign),
        ("INVALID_RESPONSE", .wrongResponse(left: nil)), ("INVALID_RESPONSE:3", .wrongResponse(left: 3)),
        ("INVALID_RESPONSE:0", .wrongResponse(left: 0)), ("INVALID_RESPONSE:-1", .wrongResponse(left: nil)),
        ("INVALID_RESPONSE:1001", .wrongResponse(left: nil)), ("INVALID_RESPONSE:", .wrongResponse(left: nil)),
        ("INVALID_RESPONSE: 3", .wrongResponse(left: nil)), ("INVALID_RESPONSE:３", .wrongResponse(left: nil)),
        ("INVALID_RESPONSE:many", .wrongResponse(left: nil)), ("invalid_response", .foreign),
        ("INVALID_CHALLENGE", .unknownChallenge), ("ACCOUNT_BLOCKED", .blocked(minutes: nil)),
        ("INVALID_USERID", .unknownUser), ("INVALID_USER", .unknownUser), ("INVALID_REQUEST", .badRequest),
        ("ERROR", .unexplained), ("AUTHENTICATION_FAILED", .error), ("FAIL", .error), ("NO", .foreign),
        (#"{"responseCode":1}"#, .accepted), (#"{"responseCode":"1"}"#, .accepted),
        (#"{"responseCode":1.5}"#, .foreign), (#"{"responseCode":1.0}"#, .foreign),
        (#"{"responseCode":1e0}"#, .foreign), ("{\"responseCode\":1,\"message\":\"Welkom\tterug\"}", .accepted),
        (#"{"responseCode":201,"attemptsLeft":1,"message":"D\'oh"}"#, .wrongResponse(left: 1)),
        (#"{"response\u0043ode" : 1 }"#, .accepted), (#"{"a":{"responseCode":1}}"#, .foreign),
        (#"{"responseCode":99999999999999999999}"#, .foreign),
        (#"{"responseCode":201,"attemptsLeft":2.0}"#, .wrongResponse(left: nil)), (#"{"responseCode":null}"#, .foreign),
        (#"{"code":1}"#, .foreign),
        (#"[1]"#, .foreign), (#"{"responseCode":-1}"#, .error), (#"{"responseCode":101}"#, .error),
        (#"{"responseCode":201}"#, .wrongResponse(left: nil)),
        (#"{"responseCode":201,"attemptsLeft":2}"#, .wrongResponse(left: 2)),
        (#"{"responseCode":201,"attemptsLeft":"2"}"#, .wrongResponse(left: 2)),
        (#"{"responseCode":201,"attemptsLeft":2.5}"#, .wrongResponse(left: nil)),
        (#"{"responseCode":201,"attemptsLeft":null}"#, .wrongResponse(left: nil)),
        (#"{"responseCode":202}"#, .badRequest), (#"{"responseCode":203}"#, .unknownChallenge),
        (#"{"responseCode":204}"#, .blocked(minutes: nil)),
        (#"{"responseCode":204,"duration":5}"#, .blocked(minutes: 5)),
        (#"{"responseCode":204,"duration":525600}"#, .blocked(minutes: 525_600)),
        (#"{"responseCode":204,"duration":525601}"#, .blocked(minutes: nil)),
        (#"{"responseCode":204,"duration":-5}"#, .blocked(minutes: nil)), (#"{"responseCode":205}"#, .unknownUser),
    ]

    @Test(arguments: answers)
    func words(_ text: String, _ meaning: TiqrReply.Meaning) throws {
        #expect(try TiqrReply(Array(text.utf8)).meaning == meaning)
    }

    @Test func aMemberThatStandsTwiceCannotBeRead() {
        #expect {
            try TiqrReply(Array(#"{"responseCode":1,"responseCode":201}"#.utf8))
        } throws: { ($0 as? BankError)?.kind == .malformedAnswer }
        #expect {
            try TiqrReply(Array(#"{"responseCode":null,"response\u0043ode":1}"#.utf8))
        } throws: { ($0 as? BankError)?.kind == .malformedAnswer }
    }

    @Test func theServersOwnWordsComeAlong() throws {
        let reply = try TiqrReply(Array(#"{"responseCode":200,"message":"not today"}"#.utf8))
        #expect(reply.message?.untrusted == "not today")
    }

    // MARK: Metadata

    private static func metadata(
        _ service: String = "", identity: String = #""identifier":"mira","displayName":"Mira Oak""#, status: Int = 200,
        from link: String = "https://login.fern.example/meta"
    ) throws -> TiqrMetadata {
        let members = service.isEmpty ? Self.service() : service
        let body = #"{"service":{\#(members)},"identity":{\#(identity)},"version":2}"#
        return try TiqrMetadata(
            Answer(status: status, body: Array(body.utf8)),
            for: TiqrEnroll(metadata: try WebAddress(link), link: nil, family: .anyone))
    }

    private static func service(_ changes: [String: String] = [:]) -> String {
        var members = [
            "displayName": #""Fern login""#, "identifier": #""login.fern.example""#, "logoUrl": "null",
            "authenticationUrl": #""https://login.fern.example/tiqr""#, "ocraSuite": #""OCRA-1:HOTP-SHA1-6:QH10-S""#,
            "enrollmentUrl": #""https://login.fern.example/tiqr?otp=5f1e""#,
        ]
        for (name, value) in changes { members[name] = value.isEmpty ? nil : value }
        return members.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",")
    }

    @Test func metadataOfAnAccount() throws {
        let metadata = try Self.metadata()
        #expect(metadata.service == "login.fern.example" && metadata.identity.text == "mira")
        #expect(metadata.enrollment.text == "https://login.fern.example/tiqr?otp=5f1e")
        #expect(metadata.suite.text == "OCRA-1:HOTP-SHA1-6:QH10-S" && metadata.accountName.untrusted == "Mira Oak")
    }

    @Test(
        arguments: [
            ("displayName", "", BankError.Kind.malformedAnswer), ("identifier", "", .malformedAnswer),
            ("identifier", #""""#, .malformedAnswer), ("identifier", "7", .malformedAnswer),
            ("authenticationUrl", "", .malformedAnswer), ("authenticationUrl", #""/tiqr""#, .malformedAnswer),
            ("authenticationUrl", #""http://login.fern.example/tiqr""#, .insecure),
            ("authenticationUrl", #""http://127.0.0.1/tiqr""#, .insecure),
            ("authenticationUrl", #""https://ann@login.fern.example/""#, .malformedAnswer),
            ("enrollmentUrl", #""javascript:alert(1)""#, .malformedAnswer), ("ocraSuite", "", .malformedAnswer),
            ("ocraSuite", #""OCRA-1:HOTP-SHA1-6:QN08-PSHA1""#, .refused),
        ])
    func metadataThatCannotBeUsed(_ member: String, _ value: String, _ code: BankError.Kind) {
        #expect { try Self.metadata(Self.service([member: value])) } throws: { ($0 as? BankError)?.kind == code }
    }

    @Test func anAccountWithoutAName() {
        #expect {
            try Self.metadata(identity: #""identifier":"","displayName":"x""#)
        } throws: { ($0 as? BankError)?.kind == .malformedAnswer }
        #expect { try Self.metadata(identity: #""identifier":"mira""#) } throws: {
            ($0 as? BankError)?.kind == .malformedAnswer
        }
        #expect { try Self.metadata(status: 500) } throws: { ($0 as? BankError)?.kind == .refused }
    }

    // MARK: What we say of ourselves

    @Test func theShapeThatServersRead() {
        let version = ProductVersion.text
        #expect(
            TiqrAgent.make(release: "6.1.0-13-amd64", machine: "x86_64")
                == "countersign/\(version) (countersign \(version)/1; Linux 6.1/x86_64; desktop)")
        #expect(TiqrAgent.make(release: "", machine: "a b").contains("Linux 0/unknown;"))
    }

    @Test(
        arguments: [
            ("nl_NL.UTF-8", "nl-NL"), ("de_DE@euro", "de-DE"), ("en", "en"), ("C", "en"), ("C.UTF-8", "en"),
            ("POSIX", "en"),
            ("", "en"), ("x\r\ny", "en"),
        ])
    func languages(_ locale: String, _ tag: String) {
        #expect(TiqrAgent.language(of: locale) == tag)
    }
}
