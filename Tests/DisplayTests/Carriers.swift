@testable import Agent
@testable import Approvals
import Basics
@testable import Desktop
import ApprovalModel
@testable import Display
@testable import Pinentry

/// What a person has read of a card when the PIN is asked for.
struct Reading {
    /// All lines, in their order.
    var lines: [String] = []
    /// Whether the whole card is among them: not in a note, from which nothing is approved.
    var hasContent = true
    /// Whether hidden text was cut, so that the person must type the title.
    var isCut = false
    /// What the person could not see, or what a window would break or cut.
    var fault: String?
}

/// Where a card is shown before the PIN is asked for. A person turns its pages by chance, forwards and back, until the
/// last one lets them go on.
enum Carrier: CaseIterable, Equatable {
    case terminal(columns: Int, rows: Int)
    /// The pages of a pinentry, and then its question for the PIN.
    case pinentry(PinentryWindow)
    case note

    /// In turn. A pinentry's pages take the longest.
    static let allCases: [Carrier] =
        Array(
            repeatElement([.terminal(columns: 60, rows: 15), .terminal(columns: 80, rows: 24), .note], count: 4)
                .joined())
        + [.pinentry(.plain), .pinentry(.headlined)]

    func reading(_ card: Card, _ random: inout Seeded) -> Reading {
        var reading =
            switch self {
            case .terminal(let columns, let rows): Self.onTerminal(card, columns, rows, &random)
            case .pinentry(let window): Self.inWindows(card, window, &random)
            case .note: Self.inNote(card)
            }
        reading.isCut = card.isCut
        return reading
    }

    private static let asker = DisplayText("Asked by process 7: countersign")

    // MARK: Terminal

    private static func onTerminal(_ card: Card, _ columns: Int, _ rows: Int, _ random: inout Seeded) -> Reading {
        let lines = card.lines(at: CardTests.now, width: columns)
        var reading = Reading(lines: lines)
        if let long = lines.first(where: { TextWidth.columns($0) > columns }) {
            reading.fault = "the terminal breaks \(long.debugDescription)"
            return reading
        }
        var pages = Pages(heights: lines.map { _ in 1 }, rows: rows)
        guard !pages.isInSight else { return reading }
        // The lines on the screen; -1 is a line of ours between them.
        var screen: [Int] = Array(pages.page)
        var seen: Set<Int> = []
        for step in 0... {
            // The lowest row says which lines these are.
            let visible = Set(screen.suffix(rows - 1))
            guard pages.page.allSatisfy(visible.contains), step < 100_000 else {
                reading.fault =
                    "line \(pages.page.first { !visible.contains($0) } ?? -1) of page \(pages.page) is not seen"
                return reading
            }
            seen.formUnion(pages.page)
            switch Int.random(in: 0..<8, using: &random) {
            case 0 where !pages.isFirst:
                let page = pages.back()
                screen += [-1] + page
            case 1 where !pages.isLast: screen += pages.lineForward()
            case _ where !pages.isLast: screen += pages.forward()
            default:
                if seen.count != lines.count { reading.fault = "\(lines.count - seen.count) lines were on no page" }
                return besidePIN(card, columns, reading)
            }
        }
        return reading
    }

    /// Title and fingerprint stand beside the PIN once more.
    private static func besidePIN(_ card: Card, _ columns: Int, _ reading: Reading) -> Reading {
        var reading = reading
        let recap = card.recap(within: columns - 1)
        let isWhole =
            recap.count <= 3 && recap.allSatisfy { TextWidth.columns($0) < columns }
            && recap.first?.hasPrefix("title        Pay") == true
            && recap.last == "fingerprint  \(card.fingerprint.short)"
            && recap.count { $0.hasPrefix("fingerprint") || $0.hasPrefix("title") } == 2
        if !isWhole { reading.fault = reading.fault ?? "beside the PIN: \(recap)" }
        return reading
    }

    // MARK: Pinentry

    private static func inWindows(_ card: Card, _ window: PinentryWindow, _ random: inout Seeded) -> Reading {
        let questions = PinentryQuestion.pages(of: card, to: .approve, asker, at: CardTests.now)
        var pages = PinentryPages(questions, onward: "To the PIN")
        var shown: [String: [String]] = [:]
        var order: [String] = []
        var reading = Reading()
        // The lines above the content: the headline, which GNOME's window draws by itself, and the page's number.
        let above = window == .headlined ? 1 : 2
        while let page = pages.current {
            let number = page.details.first?.line ?? ""
            if shown[number] == nil {
                let lines = page.lines(in: window, asksPIN: false)
                reading.fault = reading.fault ?? fault(lines, of: page, window, asksPIN: false)
                shown[number] = Array(lines.dropFirst(above))
                order.append(number)
            }
            // In the middle of a way the second button goes back, on the last page the first one does.
            let goesOn = Int.random(in: 0..<6, using: &random) > 0
            pages.take(goesOn == (page.ok.description == "Next") || page.other == nil ? .yes : .other)
        }
        if pages.end != .yes || shown.count != questions.count {
            reading.fault = reading.fault ?? "\(questions.count - shown.count) pages were not shown"
        }
        reading.lines = order.flatMap { shown[$0] ?? [] }
        let plain = card.plainLines(at: CardTests.now, askedBy: asker).map { TextLines.unbroken($0) }
        if ForgedLineTests.letters(reading.lines.joined()) != ForgedLineTests.letters(plain.joined()) {
            reading.fault = reading.fault ?? "something of the card is on no page"
        }
        let question = PinentryQuestion.pin(to: .approve, card, asker)
        let lines = question.lines(in: window, asksPIN: true)
        let beginnings = ["Title: Pay", "Fingerprint: \(card.fingerprint.short)"]
        // In the narrowest window the fingerprint goes on behind the mark.
        let whole = lines.joined(separator: "\n").replacing("\n\(TextLines.mark)", with: " ").split(separator: "\n")
        if !beginnings.allSatisfy({ beginning in whole.count { $0.hasPrefix(beginning) } == 1 }) {
            reading.fault = reading.fault ?? "beside the PIN: \(lines)"
        }
        reading.fault = reading.fault ?? fault(lines, of: question, window, asksPIN: true)
        return reading
    }

    /// What this window would cut or break again.
    private static func fault(
        _ lines: [String], of question: PinentryQuestion, _ window: PinentryWindow, asksPIN: Bool
    ) -> String? {
        // The headline is ours, and the window may break it.
        let texts = lines.filter { $0 != question.headline.description }
        if let long = texts.first(where: {
            TextMeasure.proportional.size($0) > window.width(asksPIN: asksPIN) || TextWidth.columns($0) > 53
        }) {
            return "the window breaks \(long.debugDescription)"
        }
        if lines.count > (window == .headlined ? 20 : 16) { return "\(lines.count) lines are too many" }
        return lines.contains { $0.contains("⟨…⟩") } ? "the window cuts it" : nil
    }

    // MARK: Note

    private static let servers = ["gnome-shell", "Xfce Notify Daemon"].map {
        NotificationServer(owner: ":1.1", capabilities: ["actions", "body"], name: $0)
    }
    private static let sender = Notifier.Sender(name: "Countersign", desktopEntry: nil, icon: "countersign")

    private static func inNote(_ card: Card) -> Reading {
        servers.map { inNote(card, $0) }.reduce(into: Reading(hasContent: false)) { all, one in
            all.lines += one.lines
            all.fault = all.fault ?? one.fault
        }
    }

    private static func inNote(_ card: Card, _ server: NotificationServer) -> Reading {
        let call = server.notify(
            .waiting(card, at: CardTests.now), replacing: 0, from: sender, patience: .seconds(1))
        guard call.arguments.count > 4, case .string(let summary) = call.arguments[3],
            case .string(let body) = call.arguments[4]
        else { return Reading(fault: "no text") }
        let lines = body.replacing("\u{2060}", with: "").split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        var reading = Reading(lines: [summary] + lines, hasContent: false)
        if summary.contains("\n") || TextWidth.columns(summary) > NoteLayout.widestSummary {
            reading.fault = "the summary is \(summary.debugDescription)"
        }
        if let long = lines.first(where: { TextMeasure.proportional.size($0) > NoteLayout.width }) {
            reading.fault = "the note breaks \(long.debugDescription)"
        }
        if lines.count > server.layout.lines { reading.fault = "\(lines.count) lines are too many" }
        if lines.suffix(3).prefix(2) != ["Fern Bank", "sca.fernbank.example"]
            || lines.last?.hasPrefix("fernbank:77, expires at ") != true
        {
            reading.fault = "bank, host and reference are not the last lines"
        }
        return reading
    }
}
