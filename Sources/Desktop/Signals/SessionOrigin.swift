/// The processes that stand for the person's session where a process was started, found at its start. logind knows better, where
/// there is one.
public struct SessionOrigin: Sendable, Equatable {
    /// The display's server or compositor.
    package var display: Int32?
    /// Of the processes that led to this one, the first on a terminal: a login, or the shell of a terminal's window. Looked for
    /// where there is no display.
    package var terminal: Int32?

    package init(display: Int32? = nil, terminal: Int32? = nil) {
        self.display = display
        self.terminal = terminal
    }
}
