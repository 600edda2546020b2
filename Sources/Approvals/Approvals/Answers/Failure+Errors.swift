package import Basics
import Display
import ApprovalModel
import Keys

// The only place where errors of all modules become text and exit codes.

extension Failure {
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as Failure: error
            case let error as BankError: Failure(bank: error)
            case let error as PINError: Failure(pin: error)
            case let error as SecretServiceError: Failure(secretService: error)
            case let error as StoreError: Failure(store: error)
            case let error as LookupError: Failure(lookup: error)
            case let error as LostClaim:
                Failure(
                    .unknown, error.cause.reason + "; whether the bank took the action is not known",
                    hint: "see what its page says; any new request appears in: countersign pending")
            case let error as ItemFault where error.subject != .item:
                Failure(.internal, error.reason, hint: "set this computer's clock; compare it with another: date -u")
            case let error as ItemFault:
                Failure(.internal, "an item was left out: \(error.reason)", hint: "ask the bank about it")
            case let error as DecisionError: Failure(decision: error)
            case let error as OverturnedDenial:
                .overturned(Reference.text(error.entry.shown.connectionName, error.entry.shown.id))
            case let error as EnrollmentError: Failure(enrollment: error)
            case let error as LinkError: Failure(.usage, error.reason, hint: error.hint)
            case let error as any PresentableError: error.failure
            case is CancellationError: .cancelled
            default:
                Failure(.internal, "something failed that should not: \(type(of: error))", hint: "countersign doctor")
            }
    }

    private init(bank error: BankError) {
        let words = Self.words(error.errorClass, error.bankMessage)
        self =
            switch error.kind {
            case .unreachable(let obstacle, _):
                Failure(.unreachable, error.reason, hint: obstacle?.hint ?? CallError.tryAgain)
            case .insecure:
                Failure(.unreachable, error.reason, hint: "use https; plain http works only on this computer")
            case .noAnswer:
                Failure(.unknown, error.reason, hint: "what became of it shows at the next: countersign pending")
            case .connectionGone:
                Failure(
                    .refused, error.reason + words,
                    hint: "countersign reconnect NAME, or countersign revoke NAME")
            case .authorizationGone:
                Failure(
                    .notFound,
                    // For an error class of the bank, use our own words, which are the same for all banks.
                    error.errorClass == nil ? error.reason : "the bank no longer lists this authorization\(words)",
                    hint: "countersign pending")
            case .consentGone:
                Failure(.notFound, "the bank does not list this consent\(words)", hint: "countersign consents")
            case .signatureExpired:
                Failure(
                    .refused, "the bank finds the signature expired\(words)",
                    hint: "set this computer's clock, then try again")
            case .notAccepted:
                Failure(
                    .refused, error.reason + words,
                    hint: "with a new link: countersign reconnect NAME -; else: countersign revoke NAME")
            case .unconfirmed:
                Failure(
                    .unknown, error.reason, hint: "later: countersign pending; or give it up: countersign revoke NAME")
            case .enrollmentLost:
                Failure(.refused, error.reason + words, hint: "ask for a new link, then: countersign enroll")
            case .reconnectLost:
                Failure(
                    .refused, error.reason + words, hint: "ask for a new link, then: countersign reconnect NAME -")
            case .denialOverturned: .overturned()
            case .clocksDiffer:
                Failure(
                    .refused, "\(error.reason); nothing was signed for that time\(words)",
                    hint:
                        "compare this computer's clock with another (date -u) and set it; else the bank's clock is wrong"
                )
            case .actionRefused:
                Failure(
                    .refused, error.reason + words, hint: "ask its page for a new code or link, then: countersign act")
            case .otherOption:
                Failure(
                    .refused, error.reason + words,
                    hint: "look which option the other side shows, then: countersign approve REF")
            case .doubtful:
                Failure(
                    .refused, error.reason + words,
                    hint: "do not repeat it; with a new link from the site: countersign reconnect NAME -")
            case .blocked:
                Failure(
                    .refused, error.reason + words,
                    hint: "the site says how it ends; with a new link from there: countersign reconnect NAME -")
            case .refused: Failure(.refused, error.reason + words, hint: Self.askTheBank)
            case .malformedAnswer, .tooLarge: Failure(.refused, error.reason, hint: Self.askTheBank)
            case .cryptography: Failure(.internal, error.reason, hint: "countersign doctor")
            }
    }

    private static let askTheBank = "try again later, or ask the bank; --verbose tells each call"

    /// The bank's words, made safe and marked as the bank's.
    static func words(_ errorClass: BankText?, _ message: BankText?) -> String {
        var parts = [errorClass, message].compactMap { $0 }.filter { !$0.untrusted.isEmpty }
            .map { DisplayText($0).line(within: 512) }
        // Some banks repeat the class in the message.
        if parts.count == 2, parts[0] == parts[1] { parts.removeLast() }
        return parts.isEmpty ? "" : " (the bank says: \(parts.joined(separator: ": ")))"
    }

    private init(store error: StoreError) {
        self =
            switch error {
            case .notFound: Failure(.notFound, error.reason, hint: "countersign connections")
            case .nameTaken: Failure(.usage, error.reason, hint: "choose another name")
            case .newerSchema: Failure(.internal, error.reason, hint: "use the newer countersign that wrote it")
            case .damaged(_, let remedy):
                Failure(.internal, error.reason, hint: remedy ?? "countersign history --verify")
            case .busy: Failure(.internal, error.reason, hint: "run it again")
            case .unusable(_, let remedy):
                Failure(
                    .internal, error.reason, hint: remedy ?? "make it usable, or choose another place with --home"
                )
            case .alreadyDecided: Failure(.internal, error.reason, hint: "countersign doctor")
            }
    }

    private init(lookup error: LookupError) {
        func quoted(_ wanted: String) -> String { "\"\(DisplayText(BankText(wanted)).line(within: 80))\"" }
        self =
            switch error {
            case .noConnection(let wanted, let like):
                Failure(
                    .notFound, "no connection is called \(quoted(wanted))",
                    hint: (like.map { "did you mean \"\($0)\"? " } ?? "") + "list them with: countersign connections")
            case .noBank(let wanted):
                Failure(
                    .notFound, "no connection is called \(quoted(wanted)): no bank is connected",
                    hint: "connect one first: countersign enroll")
            case .noAuthorization(let wanted):
                Failure(
                    .notFound, "nothing that waits is called \(quoted(wanted))",
                    hint: "list them with: countersign pending")
            case .noConsent(let wanted):
                Failure(
                    .notFound, "no consent is called \(quoted(wanted))", hint: "list them with: countersign consents")
            case .ambiguous(let wanted, let candidates):
                Failure(
                    .ambiguous, "\(quoted(wanted)) can mean several",
                    hint: "one of: \(candidates.prefix(8).joined(separator: ", "))")
            case .needsWholeReference(let wanted):
                Failure(
                    .usage, "\(quoted(wanted)) is not a whole reference",
                    hint: "write NAME:ID as it is listed by: countersign pending"
                )
            case .needsWholeConsent(let wanted):
                Failure(
                    .usage, "\(quoted(wanted)) is not a whole reference",
                    hint: "write NAME:ID as it is listed by: countersign consents")
            case .inactive(let name):
                Failure(
                    .refused, "the bank no longer knows the connection \(quoted(name))",
                    hint: "countersign reconnect \(name), or countersign revoke \(name)")
            }
    }

    private init(decision error: DecisionError) {
        self =
            switch error {
            case .changed: .changed
            case .expired: .expired
            case .gone: .gone
            case .geolocationRequired: .needsPosition
            case .needsOption: .needsOption
            case .noSuchOption:
                Failure(.usage, "that is none of the options", hint: "countersign show REF lists them")
            case .takesNoOption:
                Failure(.usage, "there is nothing to choose here", hint: "leave out --option")
            case .onlyDenial: .onlyDenial
            case .needsPIN: .needsPIN
            case .alreadyDecided(let earlier): Failure(earlier: earlier)
            case .underWay: .underWay
            case .notProved: Failure(.internal, "the PIN was entered for other content; nothing was sent")
            }
    }

    /// The alarm for a denial that the bank shows as confirmed.
    package static func overturned(_ reference: String? = nil) -> Failure {
        let denied = reference.map { "what you denied (\($0))" } ?? "what you denied"
        return Failure(
            .refused,
            "ALARM: \(denied) reads confirmed at the bank; somebody may have used the denial as an approval",
            hint: "call the bank by a way that you know, now; what was decided: countersign history")
    }

    /// The failure when a card's title must be typed and there is only a window to ask in.
    package static func titleNotTyped(_ reference: String) -> Failure {
        Failure(
            .locked, "the card has a warning, for which its title must be typed",
            hint: "on a terminal: countersign approve \(reference)")
    }

    /// The failure when an earlier decision was sent already.
    private init(earlier: DecisionEntry?) {
        let verb = earlier?.verdict == .deny ? "denied" : "approved"
        self =
            switch earlier?.outcome {
            case .denied where earlier?.basis == nil:
                Failure(.notFound, "this was denied already; nothing was sent", hint: "countersign history")
            case .confirmed, .denied:
                Failure(.notFound, "this was \(verb) already, and the bank took it", hint: "countersign history")
            case .expired:
                Failure(.notFound, "this was \(verb) already, too late for the bank", hint: "countersign history")
            case .processing, .refused, .unsent, .unknown, nil:
                Failure(
                    .unknown, "this was decided already, and the decision may count",
                    hint: "find out what became of it: countersign pending, then countersign history")
            }
    }

    package static let changed = Failure(
        .changed, "the content is not what was seen; nothing was sent", hint: "look again: countersign show REF")
    package static let expired = Failure(
        .expired, "it has expired; nothing was sent", hint: "ask the bank to send it again")
    package static let underWay = Failure(
        .unknown, "a decision on this is under way; nothing more was sent",
        hint: "countersign history tells its outcome")
    package static let gone = Failure(
        .notFound, "the bank no longer lists this authorization",
        hint: "what waits: countersign pending; what was decided: countersign history")
    package static let needsOption = Failure(
        .usage, "approving this means to choose an option", hint: "add --option TEXT; countersign show REF lists them")
    package static let noOptionTyped = Failure(
        .cancelled, "what was typed is none of the options; nothing was sent", hint: "countersign show REF lists them")
    package static let onlyDenial = Failure(
        .refused, "nothing can be chosen here any more; it can only be denied",
        hint: "countersign deny REF; then begin again at the other side")
    package static let needsPosition = Failure(
        .usage, "this bank wants a position with each approval", hint: "add --geolocation LAT,LON")
}

extension LinkError {
    /// The remedy for this fault.
    fileprivate var hint: String {
        switch kind {
        case .notALink, .incomplete, .badEncoding, .tooLong: "copy the whole link, and nothing around it"
        case .broken:
            "copy the link as one line from the page that shows it, or give the picture of its code with --image FILE"
        case .otherKind: "for codes that change, use an app for TOTP; or have the server give you a push token"
        case .unknownScheme: "paste the link behind the code that the page shows; the page's own address is none"
        case .nothingUsable, .ambiguous, .over: "ask the page that showed it for a new link"
        case .unknownVersion: "ask the page that showed it for a new link; a newer countersign may know this one"
        case .badAddress(.insecure): "use https; plain http works only on this computer"
        case .badAddress, .foreignAddress:
            "the link is wrong, or the page that showed it is not the bank's own: ask the bank"
        }
    }
}
