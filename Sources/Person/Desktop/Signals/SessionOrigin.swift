/// The processes that live as long as the session in which this process was started. Used where logind does not know
/// the session.
package struct SessionOrigin: Sendable, Equatable {
    /// The display server or compositor.
    package var display: Int32?
    /// The first ancestor of this process on a terminal: a login, or the shell in a terminal's window. Only used when
    /// there is no display.
    package var terminal: Int32?

    package init(display: Int32? = nil, terminal: Int32? = nil) {
        self.display = display
        self.terminal = terminal
    }
}
