/// How a pinentry draws a question, by the flavor that it names (`GETINFO flavor`).
enum PinentryWindow {
    case plain
    /// GNOME's pinentry: it shows the prompt as a headline, with a PIN and without, and no label beside the field. Its
    /// renderer (GNOME Shell or gcr-prompter) centres each line and breaks long ones.
    case headlined
    /// FLTK's pinentry: above the field for a PIN it has room for four short lines. With more, the first and last ones
    /// are not drawn.
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

    /// How many ems of text a line has room for. GNOME Shell's dialog has 28 less 80 pixels: 22 ems with text of the usual
    /// size, and 21 where a person made it smaller by a fifth. It breaks a longer line at a blank, and cuts a long word at
    /// both ends.
    func width(asksPIN: Bool) -> Int {
        switch self {
        case .plain: 35
        case .headlined: 21
        case .small: asksPIN ? 25 : 35
        }
    }

    /// The most lines above a PIN in a `small` window.
    static let smallLines = 4
}
