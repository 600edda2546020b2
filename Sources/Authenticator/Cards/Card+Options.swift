import Display
import SCA

extension Authorization {
    /// The options as a person sees them, in the bank's order; those that look alike are left out, since nobody could choose
    /// between them. Nil where there is nothing to choose.
    var shownOptions: [String]? {
        guard let options else { return nil }
        let lines = options.map { DisplayText($0).line }
        return lines.filter { line in lines.count { $0 == line } == 1 && !DisplayText(line).isBlank }
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
        guard hasNumberedOptions, let number = Int(typed), number >= 1, number <= options.count else { return nil }
        return options[number - 1]
    }

    /// Whether an option may be named by its number: none of them looks like one.
    public var hasNumberedOptions: Bool {
        options?.contains { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } } == false
    }
}
