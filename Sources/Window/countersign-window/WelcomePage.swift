import CWindow
import WindowModel

/// The first page of a home without a PIN.
@MainActor
final class WelcomePage: Page {
    let widget = Widget.column()
    private let keyring = Widget.label("", "heading")
    private let keyringWords = Widget.label("", "caption", "dim-label")
    private let keyringTrouble = Widget.label("", "warning")
    private let trouble = TroubleView()
    private let new = PINField("New PIN")
    private let again = PINField("Repeat PIN")
    private let differ = Widget.label("The two PINs differ.", "caption", "error")
    private let choose = Widget.button("Choose a PIN", "pill", "suggested-action")
    private var canChoose = false
    private var isBusy = false

    init(_ report: @escaping Report) {
        let act: @MainActor () -> Void = { [weak self] in
            guard let self, isReady, let pin = new.take() else { return }
            again.wipe()
            report(.choosePIN(pin))
        }
        choose.on("clicked", act)
        again.widget.on("activate", act)
        for field in [new, again] { field.widget.on("changed") { [weak self] in self?.refresh() } }
        let body = Widget.column(18).margins(24, 18).append(
            Widget.symbol("security-high-symbolic", size: 64, "accent"),
            Widget.label("Confirm payments and logins here", "title-1").centredText(),
            Widget.label(
                "Your bank asks, Countersign shows exactly what it asks, and you say yes or no. The keys stay on this computer, and only your PIN opens them."
            ).centredText(), Widget.column(2, "card", "sheet").append(keyring, keyringWords, keyringTrouble),
            Widget.column(10, "card", "sheet").append(
                Widget.label("Choose a PIN", "heading"),
                Widget.label(
                    "6 to 16 digits, or 8 or more characters. Nobody can tell you a forgotten PIN: you would connect your banks again.",
                    "caption", "dim-label"), new.widget, again.widget, differ, choose), trouble.widget)
        widget.append(Widget.header("Countersign"), Widget(countersign_scroller(body.pointer)).unfocusable())
        refresh()
    }

    func appear() { new.widget.focus() }

    func leave() {
        new.wipe()
        again.wipe()
    }

    func draw(_ screen: Screen) -> Bool {
        guard case .welcome(let welcome) = screen else { return false }
        keyring.text(welcome.keyring?.label ?? "Looking for the keyring")
        keyringWords.text(welcome.keyring?.value ?? "")
        keyringWords.shown(welcome.keyring != nil)
        keyringTrouble.text(welcome.keyringTrouble ?? "")
        keyringTrouble.shown(welcome.keyringTrouble != nil)
        trouble.draw(welcome.trouble)
        if isBusy, !welcome.isBusy { new.widget.focus() }
        (canChoose, isBusy) = (welcome.canChoose, welcome.isBusy)
        refresh()
        return true
    }

    private var isReady: Bool { canChoose && !new.isEmpty && new.equals(again) }

    private func refresh() {
        choose.enabled(isReady)
        differ.shown(!again.isEmpty && !new.equals(again))
    }
}
