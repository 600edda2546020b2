package import Basics
package import FoundationEssentials

/// The state of an authorization at its bank. v1 knows only `pending` (saltedge-v1 section 8); the others are v2's
/// (saltedge-v2 section 8.4).
package enum AuthorizationStatus: Sendable, Hashable {
    case pending, confirmProcessing, denyProcessing, confirmed, denied, error, timeOut, unavailable, closed
    /// A word that we do not know; it never means success.
    case unknown(BankText)
}

/// A label and a value from a bank's structured description (saltedge-v2 section 8.3).
package struct LabelledText: Sendable, Hashable {
    /// The member's wire name, for example `payee`: one of a fixed set, so it is our own text and safe.
    package var key: String
    /// The value as received, never reparsed or reformatted.
    package var value: BankText
    /// The label that people read, in the provider's own words; nil if the card knows one for the key.
    package var label: String?

    package init(key: String, value: BankText, label: String? = nil) {
        self.key = key
        self.value = value
        self.label = label
    }
}

/// A member of the plaintext that the protocol does not define.
package struct UnknownMember: Sendable, Hashable {
    package var name: BankText
    /// A string's characters, or the JSON text of anything else.
    package var value: BankText

    package init(name: BankText, value: BankText) {
        self.name = name
        self.value = value
    }
}

/// The content to confirm: the parts in the order in which they are shown.
package struct AuthorizationContent: Sendable, Hashable {
    package enum Part: Sendable, Hashable {
        case text(BankText)
        /// Text or a page: the protocol does not say which (saltedge-v1 section 8.3), so that is decided when it is
        /// shown.
        case textOrPage(BankText)
        /// A page or fragment; hostile: no script, no style, no remote load (saltedge-v1 section 8.3).
        case html(BankText)
        case payment([LabelledText])
        /// Circumstances (date, device, place, address): always shown, last.
        case extra([LabelledText])
        /// Facts that the provider knows about the request from elsewhere. They are shown, but the bank did not write
        /// them.
        case known([LabelledText])
        /// Members of the plaintext that the protocol does not define: shown as hidden, with name and value.
        case unknown([UnknownMember])
    }

    package var parts: [Part]

    package init(parts: [Part]) {
        self.parts = parts
    }
}

/// Why an approval needs an extra question.
package enum Caution: String, Sendable, Codable {
    /// The bank refused the last response, and another wrong one may block the account.
    case mayBlock = "may_block"
    /// The bank refused the last response, and the next wrong one blocks the account.
    case lastAttempt = "last_attempt"
}

/// A pending request of a bank that the user confirms or denies: decrypted, checked, and of a known connection. Only
/// this type can be shown.
package struct Authorization: Sendable, Hashable {
    package let connection: ConnectionGUID
    package let id: BankID
    package var status: AuthorizationStatus
    package let title: BankText
    package let content: AuthorizationContent
    /// The whole decrypted plaintext, from which the other members were read.
    package let source: BankText
    /// Sent back byte for byte with the decision; nil if the bank sent none.
    package let code: BankText?
    /// If the wire does not say, when this program first saw it.
    package let createdAt: Date?
    /// Nil if the wire has no expiry: then only the bank knows when it is too late.
    package let expiresAt: Date?
    package let fingerprint: Fingerprint
    /// Whether a signed denial could be used as an approval, because the wire's signature does not cover the verdict.
    /// Denying then takes the PIN, as approving does, and is impossible after the expiry.
    package let denialPassesAsApproval: Bool
    /// Whether the bank takes an approval only with the person's position.
    package let needsPosition: Bool
    /// Whether a denial is sent to the bank. False if the wire has no way to say no: then nothing is sent, and the
    /// request is only forgotten here.
    package let isDenialTold: Bool
    /// The options in the bank's order, if approving means choosing one. Nil if there is nothing to choose; empty if no
    /// option can be chosen, so that it can only be denied.
    package let options: [BankText]?
    /// The reasons for a denial that the bank accepts.
    package let denialReasons: Set<DenialReason>
    /// The bank sent no text: the provider supplied the text that is shown.
    package let isWordless: Bool
    /// The extra question before an approval; nil for none.
    package let caution: Caution?
    /// How many requests of this connection wait at once, itself included, where usually one waits. Nil where several
    /// are usual.
    package let waitingAtOnce: Int?

    package init(
        connection: ConnectionGUID, id: BankID, status: AuthorizationStatus, title: BankText,
        content: AuthorizationContent, source: BankText, code: BankText?, createdAt: Date?, expiresAt: Date?,
        fingerprint: Fingerprint, denialPassesAsApproval: Bool = false, needsPosition: Bool = false,
        isDenialTold: Bool = true, options: [BankText]? = nil, denialReasons: Set<DenialReason> = [],
        isWordless: Bool = false, caution: Caution? = nil, waitingAtOnce: Int? = nil
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
        self.needsPosition = needsPosition
        self.isDenialTold = isDenialTold
        self.options = options
        self.denialReasons = denialReasons
        self.isWordless = isWordless
        self.caution = caution
        self.waitingAtOnce = waitingAtOnce
    }

    /// Whether it is too late to approve at `now`.
    package func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

/// The result of one call for authorizations.
package struct AuthorizationList: Sendable {
    /// The authorizations that could be opened, in the order of `created_at`, then of id.
    package var authorizations: [Authorization]
    /// One entry for each item that could not be opened: one bad item never hides the good ones.
    package var faults: [ItemFault]
    /// The ids of all items that the bank listed, opened or not.
    package var listed: Set<BankID>
    /// v2: items of this connection that are listed with any status but `pending`, by id.
    package var settled: [BankID: AuthorizationStatus]
    /// Our denials that this list shows as confirmed for the first time.
    package var overturned: [DecisionEntry] = []
    /// The bank's clock (`Date` header), if it was sent.
    package var bankTime: Date?
    /// When the whole answer had arrived, before any item was opened.
    package var receivedAt: ContinuousClock.Instant?

    package init(
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

/// An item that was left out of a list, and why. The bank never learns of it, not even by the time of the next poll: an
/// attacker who can distinguish the kinds of failure can decrypt messages to others.
package struct ItemFault: Error, Sendable, Hashable {
    /// The subject of the fault.
    package enum Subject: Sendable, Hashable {
        /// An item that was left out.
        case item
        /// This computer's clock, which differs from the bank's by this many seconds.
        case clock(seconds: Int)
    }

    package var subject = Subject.item
    /// Nil if not even the id could be read.
    package var id: BankID?
    /// The ids of further items with the same fault.
    package var alsoIDs: Set<BankID> = []
    /// Our own words; safe to show.
    package var reason: String

    package init(id: BankID?, reason: String) {
        self.id = id
        self.reason = reason
    }

    /// Everything worked, but only with the bank's clock.
    package static func clock(_ seconds: Int) -> ItemFault {
        var fault = ItemFault(
            id: nil, reason: "this computer's clock differs from the bank's by \(abs(seconds)) seconds")
        fault.subject = .clock(seconds: seconds)
        return fault
    }

    /// The item is not sealed correctly, could not be decrypted, or does not hold an authorization. All of these share
    /// one reason, because the failing step reveals something about the plaintext to anyone who learns of it, even from
    /// a screenshot.
    package static func unopened(_ id: BankID?) -> ItemFault {
        ItemFault(id: id, reason: "it cannot be opened")
    }
}
