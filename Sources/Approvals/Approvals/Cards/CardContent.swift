import Display
import ApprovalModel

/// The parts of an authorization, made safe to show, and findings about the whole.
struct CardContent {
    private(set) var sections: [Card.Section] = []
    /// Whether nothing readable remains: only white space, escapes, hidden markup, or images without text.
    private(set) var isBlank = true
    /// Whether a hidden part was too long to be shown whole.
    private(set) var isCut = false
    private(set) var isHTML = false
    private(set) var fields: [String: String] = [:]

    /// `title` is left out of a page that repeats it as its own title.
    init(_ content: AuthorizationContent, title: DisplayText) {
        for part in content.parts {
            switch part {
            case .text(let text):
                let text = DisplayText(text)
                add(text, isReadable: !text.isBlank)
            case .html(let text):
                add(HTMLText(text, besides: title))
            case .textOrPage(let text):
                let page = HTMLPage(text)
                if page.isWhole {
                    add(HTMLText(page, besides: title))
                } else {
                    let text = DisplayText(text)
                    add(text, isReadable: !text.isBlank)
                }
            case .payment(let members), .extra(let members):
                add(members)
            case .known(let members):
                add(members, isWritten: false)
            case .unknown(let members):
                add(members)
            }
        }
    }

    /// The sections as text. A line feed in a value begins no line here either.
    var text: String {
        sections.map { section in
            switch section {
            case .text(let text): text
            case .fields(let fields): fields.map { "\($0.label): \(TextLines.one($0.value))" }.joined(separator: "\n")
            }
        }.joined(separator: "\n\n")
    }

    private mutating func add(_ text: DisplayText, isReadable: Bool) {
        if !text.block.isEmpty { sections.append(.text(text.block)) }
        if isReadable { isBlank = false }
    }

    private mutating func add(_ page: HTMLText) {
        isHTML = true
        isCut = isCut || page.isCut
        add(page.text, isReadable: !page.isBlank)
    }

    private mutating func add(_ members: [UnknownMember]) {
        let lines = members.map { member in
            let line = DisplayText.hidden(member.name.untrusted + ": " + member.value.untrusted)
            if line.isCut { isCut = true }
            return line.text.block
        }
        sections.append(.text(lines.joined(separator: "\n")))
    }

    /// `isWritten`: whether the bank wrote them for people to read.
    private mutating func add(_ members: [LabelledText], isWritten: Bool = true) {
        var shown: [Card.Field] = []
        for member in members {
            let value = DisplayText(member.value)
            fields[member.key] = value.line
            if !value.block.isEmpty {
                shown.append(
                    Card.Field(key: member.key, label: member.label ?? Self.label(of: member.key), value: value))
            }
            if isWritten, !value.isBlank { isBlank = false }
        }
        if !shown.isEmpty { sections.append(.fields(shown)) }
    }

    /// The label of a wire name of saltedge-v2 section 8.3; any other name is its own label.
    private static func label(of key: String) -> String {
        switch key {
        case "payee": "To"
        case "amount": "Amount"
        case "account": "Account"
        case "payment_date", "action_date": "Date"
        case "reference": "Reference"
        case "fee": "Fee"
        case "exchange_rate": "Exchange rate"
        case "description": "Description"
        case "device": "Device"
        case "location": "Location"
        case "ip": "IP address"
        default: DisplayText(key).line
        }
    }
}
