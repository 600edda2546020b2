package import Basics
import HTTPTypes
import Keys
package import LocalSocket
package import AgentWire

/// The program that sends a request, and its permissions.
package struct CallerContext: Sendable {
    /// The process and its ancestors. Prompts show them, and the log keeps them.
    package var requester: Requester
    /// The program that it belongs to; nil if the program is unknown.
    package var program: PeerProgram?
    /// Whether it is our own command line tool, which alone may bring a PIN.
    package var isOwnProgram: Bool
    /// Whether a person is there: the process has a controlling terminal and did not forbid questions. Requests of a person
    /// keep the agent open.
    package var isPerson: Bool
    /// Whether it is our own command in a person's terminal: then a token needs no grant. Holds also if questions are forbidden.
    package var isPersonOnTerminal: Bool
    /// Whether the agent may ask questions, such as for the PIN or the keyring's password.
    package var mayAsk: Bool
    /// Where the agent's own prompt may appear.
    package var prompt: PromptPlace
    /// Whether the caller is still connected.
    package var presence: Presence
    /// Whether the request came from a button of the agent's own notifications, which then report a failure.
    var isNotification = false

    package init(
        requester: Requester, program: PeerProgram? = nil, isOwnProgram: Bool, isPerson: Bool,
        isPersonOnTerminal: Bool? = nil, mayAsk: Bool = true, prompt: PromptPlace = PromptPlace(),
        presence: Presence = Presence()
    ) {
        self.requester = requester
        self.program = program
        self.isOwnProgram = isOwnProgram
        self.isPerson = isPerson
        self.isPersonOnTerminal = isPersonOnTerminal ?? (isOwnProgram && isPerson)
        self.mayAsk = mayAsk
        self.prompt = prompt
        self.presence = presence
    }

    var hasLeft: Bool { presence.hasLeft }

    /// How a PIN that was typed into the agent's own prompt counts. Another program names the terminal or display where the prompt
    /// appears, so a script may sit there.
    var pinSource: PINSource { isOwnProgram ? .person : .file }
}

extension CallerContext {
    /// Throws a usage failure for a header that cannot be read.
    init(_ caller: Caller, _ headers: HTTPFields) throws {
        func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
        let mayAsk = try CallerHeaders.mayAsk(header)
        self.init(
            requester: caller.requester, program: caller.program, isOwnProgram: caller.isOwnProgram,
            isPerson: caller.hasTerminal && mayAsk,
            isPersonOnTerminal: caller.isOwnProgram && caller.hasTerminal, mayAsk: mayAsk,
            prompt: try PromptPlace(header), presence: caller.presence)
    }

    /// The person, through a notification of the agent itself.
    static var notification: CallerContext {
        var requester = Requester.current()
        requester.commands.insert("a desktop notification", at: 0)
        var caller = CallerContext(requester: requester, isOwnProgram: true, isPerson: true)
        caller.isNotification = true
        return caller
    }
}
