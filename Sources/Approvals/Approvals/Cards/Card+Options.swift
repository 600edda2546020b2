import Display
import ApprovalModel

extension Authorization {
    /// The options as people see them, in the bank's order. Leaves out options that look alike, since nobody could
    /// distinguish them. Nil if no option is left.
    var shownOptions: [String]? {
        guard let options else { return nil }
        let lines = options.map { DisplayText($0).line }
        return lines.filter { line in lines.count { $0 == line } == 1 && !DisplayText(line).isBlank }
    }
}

extension Card {
    /// The option that the person typed: its text, in any case if that is unambiguous; or its number in the list, if no
    /// option is itself a number. Nil for anything else.
    package func option(typed: String) -> String? {
        guard let options else { return nil }
        let typed = DisplayText(typed).line
        if options.contains(typed) { return typed }
        let alike = options.filter { $0.lowercased() == typed.lowercased() }
        if alike.count == 1 { return alike[0] }
        guard hasNumberedOptions, let number = Int(typed), number >= 1, number <= options.count else { return nil }
        return options[number - 1]
    }

    /// Whether an option may be chosen by its number: none of them is itself a number.
    package var hasNumberedOptions: Bool {
        options?.contains { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } } == false
    }
}
