@testable import Agent
import Approvals
import Basics

/// One answer of every kind, with something in each member.
enum APISamples {
    static let hex = String(repeating: "0123456789abcdef", count: 4)
    static let fingerprint = Fingerprint(
        bytes: (0..<32).map { [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef][$0 % 8] })!

    static func decode<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) -> Value {
        // A sample that does not decode ends the run, which names it.
        try! JSONForm.decode(Value.self, from: Array(json.utf8))
    }

    static let connection = #"""
        {"name":"fernbank","bank":"Fern Bank · café","host":"sca.fernbank.example:8443","id":"77","status":"active","account":"ada@fern","attempts_left":null,"attempts_left_at":null,"blocked_until":null,"wants_biometrics":false,
        "protocol":"saltedge-v2","created_at":"2030-01-01T00:00:00Z","updated_at":"2030-01-02T00:00:00Z",
        "support_email":null}
        """#
    static let card = #"""
        {"ref":"fernbank:a%2Fb%25","connection":"fernbank","id":"a/b%","status":"pending","bank":"Fern Bank",
        "host":"sca.fernbank.example","title":"Pay 9.90 EUR","text":"To Fern Books\nReference R-5","html":false,
        "fields":{"payee":"Fern Books","transaction_type":"one_off","aCamel":"x"},"authorization_code":null,
        "created_at":"2030-01-01T00:00:00Z","expires_at":"2030-01-01T00:05:00Z",
        "fingerprint":"\#(hex)","needs_typed_title":false,"is_cut":false,"source":null,"needs_position":true,"caution":"may_block",
        "denial_needs_pin":false,"waiting_at_once":3,"options":["17","a b"],"denial_reasons":["not-me"],
        "sections":[{"text":"To Fern Books"},{"fields":[{"key":"payee","label":"Payee","value":"Fern Books"}]}]}
        """#
    static let bankFailure =
        #"{"connection":"oakbank","kind":"unreachable","message":"no answer","hint":"check the network"}"#
    static let failureContent =
        #"{"kind":"unknown","message":"no answer came","hint":null,"exit_code":9}"#
    static let decision = #"""
        {"ref":"fernbank:77","alarm":false,"decision":"approve","outcome":"confirmed","basis":"answered","likely":null,"fingerprint":"\#(hex)",
        "at":"2030-01-01T00:01:00Z","error":null,"code":"07","code_message":"Type this","attempts_left":2,"warning":"the outcome could not be written down: disk full"}
        """#
    static let unknownDecision = #"""
        {"ref":"fernbank:77","alarm":false,"decision":"deny","outcome":"unknown","basis":null,"likely":null,"fingerprint":"\#(hex)",
        "at":"2030-01-01T00:01:00Z","error":\#(failureContent),"code":null,"code_message":null,"attempts_left":null}
        """#
    static let offer =
        #"{"bank":"Fern Bank","source":"fernbank.example","host":"sca.fernbank.example","account":"ada@fern","notes":["It asks often."],"others":["sign.fernbank.example"]}"#

    static let status: StatusPayload = decode(
        #"""
        {"locked":false,"pin_set":true,"tries_left":8,"blocked_until":null,"keys_in_memory":true,
        "waiting":2,"agent":{"running":true,"version":"1.0.0"}}
        """#)
    static let connections: ConnectionsPayload = decode(#"{"connections":[\#(connection)]}"#)
    static let oneConnection: OneConnectionPayload = decode(#"{"connection":\#(connection)}"#)
    static let revoked: RevokedPayload = decode(#"{"revoked":{"name":"fernbank","id":"77","bank_told":true}}"#)
    static let pending: PendingRound = decode(
        #"{"authorizations":[\#(card)],"failures":[\#(bankFailure)],"asked":2,"failed":1}"#)
    static let oneCard: Card = decode(card)
    static let decided: DecisionPayload = decode(decision)
    static let undecided: DecisionPayload = decode(unknownDecision)
    static let history: HistoryPayload = decode(
        #"""
        {"decisions":[{"at":"2030-01-01T00:01:00Z","ref":"fernbank:77","alarm":false,"bank":"Fern Bank","title":"Pay 9.90 EUR",
        "text":"To Fern Books","fields":{"amount":"9.90 EUR","transaction_type":"one_off","aCamel":"x"},"decision":"approve","outcome":"unknown","basis":"inferred",
        "likely":"confirmed","final":true,"fingerprint":"\#(hex)","hash":"\#(hex)","source":null}],"log":"broken at entry 3"}
        """#)
    static let action: ActionPayload = decode(
        #"{"action":{"connection":"fernbank","success":true,"authorization":"fernbank:77","return_to":null}}"#)
    static let consents: ConsentsRound = decode(
        #"""
        {"consents":[{"ref":"fernbank:5","connection":"fernbank","id":"5","type":"aisp","third_party":"Budget App",
        "accounts":[{"name":"Checking","account_number":"1234","sort_code":null,"iban":"AT00 1234"}],
        "shared":{"balance":true,"transactions":null},"created_at":"2030-01-01T00:00:00Z",
        "expires_at":"2030-06-01T00:00:00Z"}],"failures":[\#(bankFailure)],"asked":2,"failed":1,
        "unsupported":["elmbank"]}
        """#)
    static let consentRevoked: ConsentRevokedPayload = decode(#"{"revoked":{"ref":"fernbank:5"}}"#)
    static let opened: OpenEnrollment = decode(#"{"id":"e-1","offer":\#(offer)}"#)
    static let page: EnrollmentNext = decode(
        #"{"page":"https://fernbank.example/login?s=9f#top","connection":null}"#)
    static let noVerdict: RedirectVerdict = decode(#"{"connection":null,"error":\#(failureContent)}"#)
    static let verdict: RedirectVerdict = decode(#"{"connection":\#(connection),"error":null}"#)

    /// Every kind of event, in the order of `Event.Name`.
    static let events: [Event] = [
        decode(#"{"event":"added","at":"2030-01-01T00:00:00Z","authorization":\#(card)}"#),
        decode(#"{"event":"changed","at":"2030-01-01T00:00:00Z","authorization":\#(card)}"#),
        decode(#"{"event":"removed","at":"2030-01-01T00:00:00Z","authorization":\#(card)}"#),
        decode(
            #"""
            {"event":"removed","at":"2030-01-01T00:00:00Z","authorization":\#(card),"renamed_to":"oakbank:a%2Fb%25"}
            """#),
        decode(#"{"event":"decided","at":"2030-01-01T00:00:00Z","decision":\#(decision)}"#),
        decode(#"{"event":"failure","at":"2030-01-01T00:00:00Z","failure":\#(bankFailure)}"#),
        decode(#"{"event":"recovered","at":"2030-01-01T00:00:00Z","connection":"oakbank"}"#),
        decode(
            #"""
            {"event":"heard","at":"2030-01-01T00:00:00Z","banks":[
            {"connection":"fernbank","heard_at":"2030-01-01T00:00:00Z","failure":null},
            {"connection":"oakbank","heard_at":null,
            "failure":{"connection":"oakbank","kind":"unreachable","message":"cannot reach it","hint":null}}]}
            """#),
        decode(#"{"event":"locked","at":"2030-01-01T00:00:00Z"}"#),
        decode(#"{"event":"unlocked","at":"2030-01-01T00:00:00Z"}"#),
        decode(#"{"event":"waiting","at":"2030-01-01T00:00:00Z","waiting":3}"#),
    ]
}

/// The JSON of an answer, for comparing those that know no `==`.
func json(_ value: some Encodable) throws -> String { String(decoding: try JSONForm.encode(value), as: UTF8.self) }
