/// How a pinentry draws a question, by the flavor that it names (`GETINFO flavor`).
enum PinentryWindow {
    case plain
    /// GNOME's pinentry: it shows the prompt as a headline, with a PIN and without.
    case headlined
    /// FLTK's pinentry: above the field for a PIN it has room for four lines of 40 columns. With more, the first and
    /// last ones are not drawn.
    case small

    /// Whether it can have a third button.
    var hasThirdButton: Bool { self != .headlined }

    /// A pinentry that falls back to a terminal names another flavor: `gnome3:curses`.
    init(flavor: String?) {
        switch flavor {
        case "gnome3": self = .headlined
        case "fltk": self = .small
        default: self = .plain
        }
    }
}
