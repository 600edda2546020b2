public import Basics
public import FoundationEssentials

/// Where an authorization stands. v1 knows only `pending` (saltedge-v1 section 8); the others are v2's (saltedge-v2
/// section 8.4).
public enum AuthorizationStatus: Sendable, Hashable {
    case pending, confirmProcessing, denyProcessing, confirmed, denied, error, timeOut, unavailable, closed
    /// A word that we do not know; it never means success.
    case unknown(BankText)
}

/// A label and a value, as a bank's structured description has them (saltedge-v2 section 8.3).
public struct LabelledText: Sendable, Hashable {
    /// The member's wire name, such as `payee`: one of a fixed set, so it is ours and safe.
    public var key: String
    /// The value as received, never reparsed or reformatted.
    public var value: BankText
    /// What a person reads before the value, in its provider's own words; nil where the card knows the key.
    public var label: String?

    public init(key: String, value: BankText, label: String? = nil) {
        self.key = key
        self.value = value
        self.label = label
    }
}

/// A member that the protocol has no meaning for.
public struct UnknownMember: Sendable, Hashable {
    public var name: BankText
    /// A string's characters, or the JSON text of anything else.
    public var value: BankText

    public init(name: BankText, value: BankText) {
        self.name = name
        self.value = value
    }
}

/// What is to be confirmed, part by part, in the order in which it is shown.
public struct AuthorizationContent: Sendable, Hashable {
    public enum Part: Sendable, Hashable {
        case text(BankText)
        /// Text or a page: the protocol does not say which (saltedge-v1 section 8.3), so it is judged when it is shown.
        case textOrPage(BankText)
        /// A page or fragment; hostile: no script, no style, no remote load (saltedge-v1 section 8.3).
        case html(BankText)
        case payment([LabelledText])
        /// Circumstances (date, device, place, address): always shown, last.
        case extra([LabelledText])
        /// What its provider knows about the request from elsewhere: shown, but nothing that the bank wrote to be read.
        case known([LabelledText])
        /// Members of the plaintext that the protocol does not know: shown as hidden, each by its name and its value.
        case unknown([UnknownMember])
    }

    public var parts: [Part]

    public init(parts: [Part]) {
        self.parts = parts
    }
}

/// Why an approval deserves a question of its own.
public enum Caution: String, Sendable, Codable {
    /// The bank did not accept the last response, and another such may block the account.
    case mayBlock = "may_block"
    /// As `mayBlock`, and the next wrong response does.
    case lastAttempt = "last_attempt"
}

/// Something pending that a bank asks the user to confirm or deny: opened, checked, of a known connection. Only this
/// type can be shown.
public struct Authorization: Sendable, Hashable {
    public let connection: ConnectionGUID
    public let id: BankID
    public var status: AuthorizationStatus
    public let title: BankText
    public let content: AuthorizationContent
    /// The whole decrypted plaintext, from which all the rest was read.
    public let source: BankText
    /// Goes back byte for byte with the decision; nil when the bank sent none.
    public let code: BankText?
    public let createdAt: Date?
    /// Nil where the wire tells none: then only the bank knows when it is too late.
    public let expiresAt: Date?
    public let fingerprint: Fingerprint
    /// What its provider's wire signs for a denial says nothing of the verdict, so that who relays it could use it as an approval.
    /// Denying then takes the PIN, as approving does, and is not possible when it has expired.
    public let denialPassesAsApproval: Bool
    /// Whether a denial is told to the bank. False where the wire has no way to say no: then nothing leaves, and the request is
    /// only forgotten here.
    public let isDenialTold: Bool
    /// Approving means to choose one of these, in the bank's order. Nil where there is nothing to choose; empty where nothing can
    /// be chosen, so that it can only be denied.
    public let options: [BankText]?
    /// Which reasons of a denial the bank takes.
    public let denialReasons: Set<DenialReason>
    /// The bank sent no words: what is shown was put there by its provider.
    public let isWordless: Bool
    /// What the person is asked besides, before it is approved; nil for nothing.
    public let caution: Caution?

    public init(
        connection: ConnectionGUID, id: BankID, status: AuthorizationStatus, title: BankText,
        content: AuthorizationContent, source: BankText, code: BankText?, createdAt: Date?, expiresAt: Date?,
        fingerprint: Fingerprint, denialPassesAsApproval: Bool = false, isDenialTold: Bool = true,
        options: [BankText]? = nil, denialReasons: Set<DenialReason> = [], isWordless: Bool = false,
        caution: Caution? = nil
    ) {
        self.connection = connection
        self.id = id
        self.status = status
        self.title = title
        self.content = content
        self.source = source
        self.code = code
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.fingerprint = fingerprint
        self.denialPassesAsApproval = denialPassesAsApproval
        self.isDenialTold = isDenialTold
        self.options = options
        self.denialReasons = denialReasons
        self.isWordless = isWordless
        self.caution = caution
    }

    /// Whether it can no longer be approved at `now`.
    public func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

/// What one call for authorizations brought.
public struct AuthorizationList: Sendable {
    /// Those that were opened, in the order of `created_at`, then of id.
    public var authorizations: [Authorization]
    /// One entry for each item that could not be opened: one bad item never hides the good ones.
    public var faults: [ItemFault]
    /// The ids of all items that the bank listed, opened or not.
    public var listed: Set<BankID>
    /// v2: items of this connection that are listed with any status but `pending`, by id.
    public var settled: [BankID: AuthorizationStatus]
    /// Denials of ours that read confirmed in this list, and did not before.
    public var overturned: [DecisionEntry] = []
    /// The bank's clock (`Date` header), when it told.
    public var bankTime: Date?
    /// When the whole answer was here, before anything in it was opened.
    public var receivedAt: ContinuousClock.Instant?

    public init(
        authorizations: [Authorization], faults: [ItemFault], listed: Set<BankID>,
        settled: [BankID: AuthorizationStatus] = [:], bankTime: Date?, receivedAt: ContinuousClock.Instant? = nil
    ) {
        self.authorizations = authorizations
        self.faults = faults
        self.listed = listed
        self.settled = settled
        self.bankTime = bankTime
        self.receivedAt = receivedAt
    }
}

/// An item of a list that was left out, and why. Nothing about it is ever told to the bank, not even by how soon we ask again:
/// whoever could tell the kinds of failure apart could decrypt what others sealed.
public struct ItemFault: Error, Sendable, Hashable {
    /// What a list has to say besides its items.
    public enum Subject: Sendable, Hashable {
        /// An item that was left out.
        case item
        /// This computer's clock, which differs from the bank's by so many seconds.
        case clock(seconds: Int)
    }

    public var subject = Subject.item
    /// Nil when not even the id could be read.
    public var id: BankID?
    /// Our own words; safe to show.
    public var reason: String

    public init(id: BankID?, reason: String) {
        self.id = id
        self.reason = reason
    }

    /// All went well, but by the bank's clock.
    public static func clock(_ seconds: Int) -> ItemFault {
        var fault = ItemFault(
            id: nil, reason: "this computer's clock differs from the bank's by \(abs(seconds)) seconds")
        fault.subject = .clock(seconds: seconds)
        return fault
    }

    /// It is not sealed as an item is, could not be opened, or holds something else than an item. One reason for all of it: whoever learns which
    /// step failed, and be it from a screen or a report to the bank's support, learns something of the plaintext.
    public static func unopened(_ id: BankID?) -> ItemFault {
        ItemFault(id: id, reason: "it cannot be opened")
    }
}
