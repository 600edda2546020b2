import Basics
import Display
import FoundationEssentials
import Glibc

/// The output of a command: one payload in three forms.
protocol Payload: Encodable {
    /// The text for a person, instead of the JSON object, which is the payload itself.
    func text(_ style: Style) -> String
    /// For `--quiet`: the ids to print, one per line; empty prints nothing.
    var ids: [String] { get }
    /// Whether the text is one to copy, and is printed as it is also on a terminal.
    var isVerbatim: Bool { get }
}

extension Payload {
    var isVerbatim: Bool { false }
}

extension TextTable {
    /// The table for standard output: cut to the width of a terminal, not cut for a program.
    func text(_ rows: [[DisplayText]], _ style: Style) -> String {
        var table = self
        for row in rows { table.add(row) }
        let width = isatty(STDOUT_FILENO) == 1 ? Terminal.columns : nil
        return table.lines(width: width, style: style).joined(separator: "\n")
    }
}

extension GlobalOptions {
    func render(_ payload: some Payload) throws { try values.render(payload) }
    func say(failures: [String]?) { values.say(failures: failures) }
}

extension Options {
    /// Prints on standard error the parts that are missing from the answer. JSON has them as a member.
    func say(failures: [String]?) {
        guard !json else { return }
        for failure in failures ?? [] { Terminal.say(failure) }
    }

    func render(_ payload: some Payload) throws {
        if json {
            try Terminal.result(try Self.json(payload) + "\n")
        } else if quiet {
            try Terminal.result(payload.ids.map { $0 + "\n" }.joined())
        } else {
            let text = payload.text(Terminal.allowsColour(on: STDOUT_FILENO) ? .ansi : .plain)
            if !text.isEmpty { try Terminal.result((payload.isVerbatim ? text : Terminal.seen(text)) + "\n") }
        }
    }

    static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONForm.encode(value), as: UTF8.self)
    }
}
