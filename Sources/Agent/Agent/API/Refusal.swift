internal import Basics
internal import HTTPTypes
internal import Hummingbird
internal import ApprovalModel

/// Why the API itself refuses a request: a failure with a status of its own.
struct Refusal: Error {
    var status: HTTPResponse.Status
    var failure: Failure
    var headers = HTTPFields()

    init(_ status: HTTPResponse.Status, _ message: String, hint: String? = nil) {
        self.init(status, .usage(message, hint: hint))
    }

    private init(_ status: HTTPResponse.Status, _ failure: Failure) {
        self.status = status
        self.failure = failure
    }

    static let webPage = Refusal(.forbidden, "web pages are not served")
    static let unknownRoute = Refusal(.notFound, "there is nothing at this path")
    static let tooLarge = Refusal(.contentTooLarge, "the body is too large")
    /// The framing of a body is wrong, or it ended before its length.
    static let broken = {
        var refusal = Refusal(.badRequest, "the request cannot be read")
        // Where the next request would begin is not known.
        refusal.headers[.connection] = "close"
        return refusal
    }()
    static let crowded = Refusal(
        .serviceUnavailable,
        Failure(
            .internal, "the agent answers too many requests of this process, or of all programs together",
            hint: "run it again when some of them are answered"))
    static let foreignPIN = Refusal(
        .forbidden, "a PIN is taken from countersign alone; the agent asks for it by its own prompt",
        hint: "send an empty body")
    static let foreignProgram = Refusal(
        .forbidden, "only countersign itself may ask for this", hint: "run the command of countersign that does it")

    static func unknownMethod(_ allowed: [String]) -> Refusal {
        let names = allowed.sorted().joined(separator: ", ")
        var refusal = Refusal(.methodNotAllowed, "method not allowed for this path", hint: "allowed: \(names)")
        refusal.headers[.allow] = names
        return refusal
    }

    /// The answer to a request that failed with this error.
    init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case let error as HTTPError where error.status == .contentTooLarge: self = .tooLarge
        case is HTTPError: self = .broken
        // The bank's fault, not ours.
        case is ItemFault: self.init(.badGateway, Failure(error))
        default:
            let failure = Failure(error)
            self.init(failure.status, failure)
            // RFC 9110 section 11.6.1 wants a 401 to name an accepted scheme.
            if status == .unauthorized { headers[.wwwAuthenticate] = "Countersign-PIN" }
        }
    }
}

extension Failure {
    /// The status that fits best for a program that knows only HTTP; the body names the failure exactly.
    var status: HTTPResponse.Status {
        switch kind {
        case .usage: .badRequest
        case .locked: mayTryAgain ? .unauthorized : HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
        case .notFound, .ambiguous: .notFound
        case .refused, .cancelled, .alreadyRuns, .signedOut: .conflict
        case .changed: .preconditionFailed
        case .expired: .gone
        case .internal: .internalServerError
        case .unreachable: .badGateway
        case .secretService, .damaged: .serviceUnavailable
        case .unknown: .gatewayTimeout
        }
    }
}
