import CWindow
import WindowModel

/// More about a card, below it and folded: its reference, its whole code, its plaintext.
@MainActor
final class DetailsView {
    let widget: Widget
    private let body = Widget.column(10)
    private var shown: Screen.Details?

    /// `whenOpened`: the plaintext is wanted.
    init(whenOpened: @escaping @MainActor () -> Void) {
        widget = Widget(gtk_expander_new("Code, reference and source"))
        gtk_expander_set_child(widget.to(), body.margins(10, 0).pointer)
        widget.on("notify::expanded") { [weak self] in
            guard let self, gtk_expander_get_expanded(widget.to()) != 0, shown?.source == nil else { return }
            whenOpened()
        }
    }

    func draw(_ details: Screen.Details) {
        guard details != shown else { return }
        shown = details
        body.clear()
        body.append(Widget.fact("Reference", details.reference))
        if let code = details.code { body.append(Widget.fact("Code", code)) }
        guard let source = details.source else { return }
        let sheet = Widget.column(0, "card", "sheet", role: GTK_ACCESSIBLE_ROLE_GROUP).named("Written by the bank")
        for piece in TextPieces.of(source) { sheet.append(Widget.label(piece, "monospace", "caption")) }
        body.append(Widget.label("Source", "caption", "dim-label"), sheet)
    }
}
