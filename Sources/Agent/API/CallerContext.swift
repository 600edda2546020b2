public import Basics
public import LocalSocket

/// Who asks the agent for something, and what that means for the answer.
public struct CallerContext: Sendable {
    /// The process and its ancestors: shown in prompts and kept in the log.
    public var requester: Requester
    /// Whether it is our own command line tool, which alone may bring a PIN.
    public var isOwnProgram: Bool
    /// Whether a person is there: the process has a controlling terminal, and did not forbid questions. Its requests are use.
    public var isPerson: Bool
    /// Whether questions may be asked, the PIN's prompt and the keyring's among them.
    public var mayAsk: Bool
    /// Where the agent's own prompt may appear.
    public var prompt: PromptPlace
    /// Whether the caller is still connected.
    public var presence: Presence
    /// Whether the request came from a button on one of the agent's own notifications. They then report a failure.
    var isNotification = false

    public init(
        requester: Requester, isOwnProgram: Bool, isPerson: Bool, mayAsk: Bool = true,
        prompt: PromptPlace = PromptPlace(), presence: Presence = Presence()
    ) {
        self.requester = requester
        self.isOwnProgram = isOwnProgram
        self.isPerson = isPerson
        self.mayAsk = mayAsk
        self.prompt = prompt
        self.presence = presence
    }

    var hasLeft: Bool { presence.hasLeft }
}

/// The display and the terminal on which the person is asked.
public struct PromptPlace: Sendable, Equatable {
    /// DISPLAY, WAYLAND_DISPLAY, XAUTHORITY and TERM, as far as they are known.
    public var environment: [String: String]
    /// The path of the terminal.
    public var tty: String?

    public init(environment: [String: String] = [:], tty: String? = nil) {
        self.environment = environment
        self.tty = tty
    }
}
