/// What is known of how a pinentry draws a question, by the flavor that it names (`GETINFO flavor`).
enum PinentryWindow {
    case plain
    /// GNOME's: the prompt is its headline, with a PIN and without.
    case headlined
    /// FLTK's: above a PIN there is room for four lines of 40 columns; of more the first and the last are not drawn.
    case small

    /// What falls back to a terminal has another flavor: `gnome3:curses`.
    init(flavor: String?) {
        switch flavor {
        case "gnome3": self = .headlined
        case "fltk": self = .small
        default: self = .plain
        }
    }
}
