public import Basics
import Display
package import SCA

extension Authorization {
    /// The options as a person sees them, in the bank's order; those that look alike are left out, since nobody could choose
    /// between them. Nil where there is nothing to choose.
    var shownOptions: [String]? {
        guard let options else { return nil }
        let lines = options.map { DisplayText($0).line }
        return lines.filter { line in lines.count { $0 == line } == 1 && !DisplayText(line).isBlank }
    }

    /// The option that is shown as this text. Nil where nothing was named and there is nothing to choose. Throws
    /// `DecisionError`: `needsOption`, `noSuchOption`, `takesNoOption`, `onlyDenial`.
    package func option(shownAs text: String?) throws(DecisionError) -> BankText? {
        guard let options, let shown = shownOptions else {
            if text != nil { throw DecisionError(.takesNoOption) }
            return nil
        }
        guard !shown.isEmpty else { throw DecisionError(.onlyDenial) }
        guard let text else { throw DecisionError(.needsOption) }
        guard shown.contains(text), let chosen = options.first(where: { DisplayText($0).line == text }) else {
            throw DecisionError(.noSuchOption)
        }
        return chosen
    }
}

extension Card {
    /// The option that a person means by what was typed: its text, in whatever case where that leaves one; else its number in the
    /// list, where no option is a number itself. Nil for anything else.
    public func option(typed: String) -> String? {
        guard let options else { return nil }
        let typed = DisplayText(typed).line
        if options.contains(typed) { return typed }
        let alike = options.filter { $0.lowercased() == typed.lowercased() }
        if alike.count == 1 { return alike[0] }
        guard hasNumberedOptions, let number = Int(typed), (1...options.count).contains(number) else { return nil }
        return options[number - 1]
    }

    /// Whether an option may be named by its number: none of them looks like one.
    public var hasNumberedOptions: Bool {
        options?.contains { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } } == false
    }
}

extension [DecisionEntry] {
    /// How many approvals of this very content the bank refused.
    package func refusals(of fingerprint: Fingerprint) -> Int { count { $0.isRefusal(of: fingerprint) } }
}

extension [HistoryPayload.Entry] {
    /// The same of what `history` tells.
    public func refusals(of fingerprint: Fingerprint) -> Int {
        count { $0.fingerprint == fingerprint.hex && $0.decision == .approve && $0.outcome == .refused }
    }
}
