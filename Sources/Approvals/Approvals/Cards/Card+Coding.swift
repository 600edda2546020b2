import Basics
import Display
import FoundationEssentials
import ApprovalModel

/// A card as JSON, for programs that draw it themselves: the members that every JSON form of a card has, and `bank`,
/// `host`, `needsTypedTitle`, `isCut`, `needsPosition`, `denialNeedsPin`, `denialReasons`, `waitingAtOnce`, `source` and
/// `sections` (`{"text"}` or `{"fields":[{"key","label","value"}]}`).
extension Card: Codable {
    private enum CodingKeys: String, CodingKey {
        case ref, connection, id, status, bank, host, title, text, html, fields, authorizationCode, createdAt, expiresAt
        case fingerprint, needsTypedTitle, isCut, needsPosition, caution, options, denialReasons
        case waitingAtOnce, source, sections
        case denialNeedsPIN = "denialNeedsPin"
    }

    /// Writes the members that every JSON form of a card has. `show --json` and the like add only the time left to them.
    package func encodeCommonMembers(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(reference, forKey: .ref)
        try members.encode(connection, forKey: .connection)
        try members.encode(id.line, forKey: .id)
        try members.encode(status.line, forKey: .status)
        try members.encode(title.line, forKey: .title)
        try members.encode(text, forKey: .text)
        try members.encode(html, forKey: .html)
        try members.encode(fields, forKey: .fields)
        try members.encode(code?.line, forKey: .authorizationCode)
        try members.encode(createdAt.map { Timestamp($0) }, forKey: .createdAt)
        try members.encode(expiresAt.map { Timestamp($0) }, forKey: .expiresAt)
        try members.encode(options, forKey: .options)
        try members.encode(caution, forKey: .caution)
        try members.encode(fingerprint, forKey: .fingerprint)
    }

    package func encode(to encoder: any Encoder) throws {
        try encodeCommonMembers(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(bank.line, forKey: .bank)
        try members.encode(host.line, forKey: .host)
        try members.encode(needsTypedTitle, forKey: .needsTypedTitle)
        try members.encode(isCut, forKey: .isCut)
        try members.encode(needsPosition, forKey: .needsPosition)
        try members.encode(denialNeedsPIN, forKey: .denialNeedsPIN)
        try members.encode(denialReasons, forKey: .denialReasons)
        try members.encode(waitingAtOnce, forKey: .waitingAtOnce)
        try members.encode(source, forKey: .source)
        try members.encode(sections, forKey: .sections)
    }

    /// Accepts only text that a card can hold: no character that `DisplayText` would escape.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        reference = try members.decode(DisplayText.self, forKey: .ref).line
        connection = try members.decode(ConnectionName.self, forKey: .connection)
        id = try members.decode(DisplayText.self, forKey: .id)
        status = try members.decode(DisplayText.self, forKey: .status)
        bank = try members.decode(DisplayText.self, forKey: .bank)
        host = try members.decode(DisplayText.self, forKey: .host)
        title = try members.decode(DisplayText.self, forKey: .title)
        text = try members.decode(DisplayText.self, forKey: .text).block
        html = try members.decode(Bool.self, forKey: .html)
        fields = try members.decode([String: DisplayText].self, forKey: .fields).mapValues(\.line)
        guard fields.keys.allSatisfy({ DisplayText(shown: $0) != nil }) else {
            throw DecodingError.dataCorruptedError(forKey: .fields, in: members, debugDescription: "not a name")
        }
        code = try members.decode(DisplayText?.self, forKey: .authorizationCode)
        createdAt = try members.decode(Timestamp?.self, forKey: .createdAt)?.date
        expiresAt = try members.decode(Timestamp?.self, forKey: .expiresAt)?.date
        fingerprint = try members.decode(Fingerprint.self, forKey: .fingerprint)
        needsTypedTitle = try members.decode(Bool.self, forKey: .needsTypedTitle)
        isCut = try members.decode(Bool.self, forKey: .isCut)
        needsPosition = try members.decode(Bool.self, forKey: .needsPosition)
        caution = try members.decode(Caution?.self, forKey: .caution)
        denialNeedsPIN = try members.decode(Bool.self, forKey: .denialNeedsPIN)
        options = try members.decode([DisplayText]?.self, forKey: .options)?.map(\.line)
        denialReasons = try members.decode([DenialReason].self, forKey: .denialReasons)
        waitingAtOnce = try members.decode(Int?.self, forKey: .waitingAtOnce)
        source = try members.decode(DisplayText?.self, forKey: .source)
        sections = try members.decode([Section].self, forKey: .sections)
    }
}

extension Card.Section: Codable {
    private enum CodingKeys: String, CodingKey { case text, fields }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text): try members.encode(text, forKey: .text)
        case .fields(let fields): try members.encode(fields, forKey: .fields)
        }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        if let fields = try members.decodeIfPresent([Card.Field].self, forKey: .fields) {
            self = .fields(fields)
        } else {
            self = .text(try members.decode(DisplayText.self, forKey: .text).block)
        }
    }
}

extension Card.Field: Codable {
    private enum CodingKeys: String, CodingKey { case key, label, value }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        key = try members.decode(DisplayText.self, forKey: .key).line
        label = try members.decode(DisplayText.self, forKey: .label).line
        value = try members.decode(DisplayText.self, forKey: .value)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(key, forKey: .key)
        try members.encode(label, forKey: .label)
        try members.encode(value, forKey: .value)
    }
}
