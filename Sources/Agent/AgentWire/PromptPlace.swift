import Basics
package import Keys

/// The display and the terminal on which the person is asked.
package struct PromptPlace: Sendable, Equatable {
    /// DISPLAY, WAYLAND_DISPLAY, XAUTHORITY and TERM, if they are known.
    package var environment: [String: String]
    /// The path of the terminal.
    package var tty: String?

    package init(environment: [String: String] = [:], tty: String? = nil) {
        self.environment = environment
        self.tty = tty
    }
}

/// The headers in which our own program sends the agent the facts that the agent cannot see from outside.
package enum CallerHeaders {
    /// The value `1` forbids questions.
    package static let noInput = "Countersign-No-Input"
    package static let pinSource = "Countersign-PIN-Source"
    /// The caller's terminal.
    package static let tty = "Countersign-TTY"
    /// They carry the variables of a prompt's environment. Values are percent-encoded.
    fileprivate static let variables: KeyValuePairs = [
        "Countersign-Display": "DISPLAY", "Countersign-Wayland-Display": "WAYLAND_DISPLAY",
        "Countersign-XAuthority": "XAUTHORITY", "Countersign-Term": "TERM",
    ]

    /// The longest value, in bytes, after decoding.
    private static let longestValue = 1024

    /// Whether questions are allowed. Throws a usage failure for a header that cannot be read, as do the others.
    package static func mayAsk(_ header: (String) -> String?) throws -> Bool {
        switch header(noInput) {
        case nil, "0": true
        case "1": false
        default: throw Failure.usage("\(noInput) is neither 0 nor 1")
        }
    }

    /// The decoded value; nil if there is none. Refuses control characters, which no display's name has.
    fileprivate static func value(_ text: String?, _ name: String) throws -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard let value = Percent.decode(text), isFitting(value) else { throw Failure.usage("\(name) cannot be read") }
        return value
    }

    /// The header with this value; none for a value that the agent would refuse.
    fileprivate static func header(_ name: String, _ value: String?) -> [(String, String)] {
        guard let value, !value.isEmpty, isFitting(value) else { return [] }
        return [(name, URLText.encode(value))]
    }

    private static func isFitting(_ value: String) -> Bool {
        value.utf8.count <= longestValue && value.utf8.allSatisfy { $0 >= 32 && $0 != 127 }
    }
}

extension PromptPlace {
    /// Reads the headers.
    package init(_ header: (String) -> String?) throws {
        self.init()
        for (name, variable) in CallerHeaders.variables {
            environment[variable] = try CallerHeaders.value(header(name), name)
        }
        tty = try CallerHeaders.value(header(CallerHeaders.tty), CallerHeaders.tty).map { name in
            guard let path = TerminalName.resolve(name) else {
                throw Failure.usage("\(CallerHeaders.tty) is not the path of a terminal of yours")
            }
            return path
        }
    }

    /// - Parameter mayAsk: whether the agent may ask questions.
    package func headers(mayAsk: Bool) -> [(String, String)] {
        (mayAsk ? [] : [(CallerHeaders.noInput, "1")])
            + CallerHeaders.variables.flatMap { CallerHeaders.header($0, environment[$1]) }
            // After su it may be another user's terminal: leave it out.
            + CallerHeaders.header(CallerHeaders.tty, tty.flatMap(TerminalName.resolve))
    }
}

extension PINSource {
    private var word: String { self == .file ? "file" : "person" }

    /// The header that names the source of a PIN.
    package var header: (String, String) { (CallerHeaders.pinSource, word) }

    /// Throws a usage failure for a value that is none of the two words.
    package init(header value: String?) throws {
        switch value {
        case nil, Self.person.word: self = .person
        case Self.file.word: self = .file
        default: throw Failure.usage("\(CallerHeaders.pinSource) is neither person nor file")
        }
    }
}
