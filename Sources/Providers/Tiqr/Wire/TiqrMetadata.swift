import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Web

/// A site's description of itself and of the account to enroll (tiqr section 4.1).
struct TiqrMetadata: Sendable {
    /// The service's identifier.
    var service: String
    var serviceName: BankText
    /// The address of every login.
    var authentication: WebAddress
    /// The address that takes the account's secret, once; the address is itself secret.
    var enrollment: WebAddress
    var suite: OCRASuite
    /// The account's identifier at its service.
    var identity: BankID
    var accountName: BankText

    private struct Document: Decodable {
        struct Service: Decodable {
            var displayName: String
            var identifier: String
            var authenticationUrl: String
            var ocraSuite: String
            var enrollmentUrl: String
        }
        struct Identity: Decodable {
            var identifier: String
            var displayName: String
        }
        var service: Service
        var identity: Identity
    }

    /// Parses the answer to the call for the metadata, of any content type. Throws `BankError`.
    init(_ answer: Answer, for enroll: TiqrEnroll) throws(BankError) {
        guard answer.status == 200 else {
            throw BankError(
                .refused,
                "the site did not say whom the link enrolls",
                status: answer.status)
        }
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: Data(answer.body))
        } catch DecodingError.keyNotFound(let key, _) {
            throw Self.malformed("the site's metadata lacks \(key.stringValue)")
        } catch DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context) {
            let name = context.codingPath.last?.stringValue
            throw Self.malformed(name.map { "the site's metadata has no proper \($0)" } ?? "the metadata is no object")
        } catch {
            throw Self.malformed("what the link leads to is not the metadata of an account")
        }
        guard !document.service.identifier.isEmpty, document.service.identifier.utf8.count <= 1024 else {
            throw Self.malformed("the site's metadata names no service")
        }
        guard let identity = BankID(document.identity.identifier) else {
            throw Self.malformed("the site's metadata names no account")
        }
        guard max(document.service.displayName.utf8.count, document.identity.displayName.utf8.count) <= 1024 else {
            throw Self.malformed("the site's metadata has a name that is too long")
        }
        service = document.service.identifier
        serviceName = Self.name(document.service.displayName, else: service)
        authentication = try Self.address(document.service.authenticationUrl, "authenticationUrl", enroll)
        enrollment = try Self.address(document.service.enrollmentUrl, "enrollmentUrl", enroll)
        suite = try OCRASuite(tiqr: document.service.ocraSuite)
        self.identity = identity
        accountName = Self.name(document.identity.displayName, else: document.identity.identifier)
    }

    /// `text`, or the identifier where `text` is blank.
    private static func name(_ text: String, else identifier: String) -> BankText {
        BankText(text.allSatisfy(\.isWhitespace) ? identifier : text)
    }

    private static func malformed(_ reason: String) -> BankError { BankError(.malformedAnswer, reason) }

    private static func address(
        _ text: String, _ name: String, _ enroll: TiqrEnroll
    ) throws(BankError) -> WebAddress {
        let address: WebAddress
        do {
            address = try WebAddress(text)
        } catch {
            throw BankError(
                error == .insecure ? .insecure : .malformedAnswer,
                "the site's \(name) cannot be used: \(error.reason)")
        }
        guard address.scheme == "https" || enroll.metadata.isLoopback else {
            throw BankError(.insecure, "the site's \(name) is a plain http address on this machine")
        }
        guard enroll.family.allows(address.host) else {
            throw BankError(.insecure, "the site's \(name) is at a host where links of this kind may not lead")
        }
        return address
    }
}

extension OCRASuite {
    /// Parses a suite that a site may ask for (tiqr section 6.1). Throws `BankError.refused`, with a reason of its own
    /// for each fault.
    init(tiqr text: String) throws(BankError) {
        let suite: OCRASuite
        do {
            suite = try OCRASuite(text)
        } catch {
            throw .unsupported(Self.words(error))
        }
        // Tiqr has no counter, PIN or time, so the server could not check a suite that includes one.
        if suite.hasCounter { throw .unsupported("it counts, which Tiqr does not") }
        if suite.pinHash != nil { throw .unsupported("it includes a PIN, which Tiqr does not") }
        if suite.timeStep != nil { throw .unsupported("it includes the time, which Tiqr does not") }
        if suite.questionForm == .alphanumeric {
            throw .unsupported("its questions are neither numbers nor hexadecimal")
        }
        // Servers interpret other lengths differently.
        guard [nil, 64, 128, 256].contains(suite.sessionLength) else {
            throw .unsupported("its session information has a length on which servers differ")
        }
        self = suite
    }

    private static func words(_ fault: Fault) -> String {
        switch fault {
        case .notOCRA, .badFunction: "it is not an OCRA suite"
        case .unknownHash: "its hash is neither SHA1, SHA256 nor SHA512"
        case .untruncated: "its responses are whole MACs"
        case .badDigits: "its responses have neither 4 nor up to 10 digits"
        case .noQuestion, .unknownQuestionForm: "it has no question of a known form"
        case .badQuestionLength: "its questions have neither 4 nor up to 64 characters"
        case .badPIN: "it names no way to hash a PIN"
        case .badSession: "its session information has no length that can be used"
        case .badTime: "its time step cannot be read"
        case .unknownInput: "it has a part that is not known"
        }
    }
}

extension BankError {
    fileprivate static func unsupported(_ why: String) -> BankError {
        BankError(.refused, "the site wants responses of a kind that is not supported: \(why)")
    }
}
