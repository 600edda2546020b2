internal import Basics
internal import HTTPTypes
internal import Hummingbird
import Keys
internal import LocalSocket

extension HTTPField.Name {
    /// The value `1` forbids questions.
    static let noInput = Self("Countersign-No-Input")!
    static let pinSource = Self("Countersign-PIN-Source")!
    /// The caller's terminal.
    static let tty = Self("Countersign-TTY")!
}

extension CallerContext {
    /// The headers that carry the variables of a prompt's environment. Values are percent-encoded.
    private static let variables: KeyValuePairs = [
        "Countersign-Display": "DISPLAY", "Countersign-Wayland-Display": "WAYLAND_DISPLAY",
        "Countersign-XAuthority": "XAUTHORITY", "Countersign-Term": "TERM",
    ]

    /// The longest value, in bytes, after decoding.
    private static let longestValue = 1024

    /// Throws a usage failure for a header that cannot be read.
    init(_ caller: Caller, _ headers: HTTPFields) throws {
        let mayAsk =
            switch headers[.noInput] {
            case nil, "0": true
            case "1": false
            default: throw Failure.usage("\(HTTPField.Name.noInput.rawName) is neither 0 nor 1")
            }
        var place = PromptPlace()
        for (name, variable) in Self.variables {
            if let name = HTTPField.Name(name) { place.environment[variable] = try Self.value(headers[name], name) }
        }
        place.tty = try Self.value(headers[.tty], .tty).map { name in
            guard let path = TerminalName.resolve(name) else {
                throw Failure.usage("\(HTTPField.Name.tty.rawName) is not the path of a terminal of yours")
            }
            return path
        }
        self.init(
            requester: caller.requester, program: caller.program, isOwnProgram: caller.isOwnProgram,
            isPerson: caller.hasTerminal && mayAsk,
            isPersonOnTerminal: caller.isOwnProgram && caller.hasTerminal, mayAsk: mayAsk, prompt: place,
            presence: caller.presence)
    }

    /// Refuses an empty value, and control characters, which no display's name has.
    private static func value(_ text: String?, _ name: HTTPField.Name) throws -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard let value = Percent.decode(text), value.utf8.count <= longestValue,
            value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 })
        else { throw Failure.usage("\(name.rawName) cannot be read") }
        return value
    }

    /// The headers in which our own program sends the agent the facts that the agent cannot see from outside.
    static func headers(mayAsk: Bool, prompt: PromptPlace) -> [(String, String)] {
        var headers = mayAsk ? [] : [(HTTPField.Name.noInput.rawName, "1")]
        for (name, variable) in variables {
            if let value = fitting(prompt.environment[variable]) { headers.append((name, value)) }
        }
        // After su it may be another user's terminal: leave it out.
        if let tty = fitting(prompt.tty.flatMap(TerminalName.resolve)) {
            headers.append((HTTPField.Name.tty.rawName, tty))
        }
        return headers
    }

    /// The header's value, percent-encoded; nil for a value that the agent would refuse.
    private static func fitting(_ value: String?) -> String? {
        guard let value, !value.isEmpty, value.utf8.count <= longestValue,
            value.utf8.allSatisfy({ $0 >= 32 && $0 != 127 })
        else { return nil }
        return URLText.encode(value)
    }
}

extension PINSource {
    private var word: String { self == .file ? "file" : "person" }

    /// The header that names the source of a PIN.
    var header: (String, String) { (HTTPField.Name.pinSource.rawName, word) }

    /// Throws a usage failure for a value that is none of the two words.
    init(header value: String?) throws {
        switch value {
        case nil, Self.person.word: self = .person
        case Self.file.word: self = .file
        default: throw Failure.usage("\(HTTPField.Name.pinSource.rawName) is neither person nor file")
        }
    }
}
