import CWindow
import WindowModel

/// A widget of GTK, on the main thread like all of them. Whoever holds it last, its parent or the window, frees it.
@MainActor
struct Widget {
    let pointer: UnsafeMutablePointer<GtkWidget>

    init(_ pointer: UnsafeMutablePointer<GtkWidget>) { self.pointer = pointer }

    /// As a pointer to a class of GTK whose layout is known. The caller names the class that the widget has.
    func to<Class>() -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Class.self)
    }

    /// As a pointer to a class or interface of GTK whose layout is hidden.
    func to() -> OpaquePointer { OpaquePointer(pointer) }

    // MARK: Kinds

    static func label(_ text: String, _ classes: String...) -> Widget { label(text, classes) }

    static func label(_ text: String, _ classes: [String]) -> Widget {
        Widget(countersign_label(text)).styled(classes)
    }

    static func column(
        _ spacing: Int32 = 0, _ classes: String..., role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_GENERIC
    ) -> Widget {
        Widget(countersign_box(role, GTK_ORIENTATION_VERTICAL, spacing)).styled(classes)
    }

    static func row(_ spacing: Int32 = 0, _ classes: String...) -> Widget {
        Widget(countersign_box(GTK_ACCESSIBLE_ROLE_GENERIC, GTK_ORIENTATION_HORIZONTAL, spacing)).styled(classes)
    }

    static func button(_ words: String, _ classes: String..., act: (@MainActor () -> Void)? = nil) -> Widget {
        let button = Widget(gtk_button_new_with_label(words)).styled(classes)
        if let act { button.on("clicked", act) }
        return button
    }

    /// A button that shows a symbol; `name` is for tooltip and assistive technology.
    static func button(symbol: String, _ name: String, act: @escaping @MainActor () -> Void) -> Widget {
        let button = Widget(gtk_button_new_from_icon_name(symbol)).named(name)
        gtk_widget_set_tooltip_text(button.pointer, name)
        button.on("clicked", act)
        return button
    }

    /// An entry of one line, for a text that is no secret.
    static func entry(_ name: String, hint: String = "", text: String = "") -> Widget {
        let entry = Widget(gtk_entry_new()).named(name)
        gtk_entry_set_placeholder_text(entry.to(), hint)
        gtk_editable_set_text(entry.to(), text)
        return entry
    }

    /// The text of an entry.
    var typed: String { String(cString: gtk_editable_get_text(to())) }

    /// A state in a word, with a colour.
    static func badge(_ status: Screen.Status) -> Widget {
        label(status.word, "caption-heading", "badge", status.sign.style).unbroken().narrow().middle()
    }

    /// A bank's initials, which say nothing that its name beside it does not.
    static func monogram(_ name: String, size: Int32 = 40) -> Widget {
        let avatar = Widget(adw_avatar_new(size, name, 1))
        countersign_hide_from_readers(avatar.pointer)
        return avatar.middle()
    }

    static func symbol(_ name: String, size: Int32, _ classes: String...) -> Widget {
        let image = Widget(gtk_image_new_from_icon_name(name)).styled(classes)
        gtk_image_set_pixel_size(image.to(), size)
        countersign_hide_from_readers(image.pointer)
        return image
    }

    /// The bar at the top, with a title of our own, as every page has one.
    static func header(_ title: String) -> Widget {
        let header = Widget(adw_header_bar_new())
        adw_header_bar_set_title_widget(header.to(), Widget.label(title, "title").pointer)
        return header
    }

    /// The bar of the first page of a tab, with the window's menu.
    static func header(_ title: String, menuOf report: @escaping Report) -> Widget {
        let header = header(title)
        let menu = countersign_menu("Menu")
        func add(_ words: String, _ event: WindowEvent) {
            countersign_add_to_menu(menu, words, Action.run, Action.retained { report(event) }, Action.release)
        }
        add("Settings", .settings(.open))
        add("Lock now", .lock)
        add("About", .about)
        adw_header_bar_pack_end(header.to(), menu)
        return header
    }

    /// The bar of a page that leads back.
    static func header(_ title: String, back: @escaping @MainActor () -> Void) -> (header: Widget, back: Widget) {
        let header = header(title)
        let button = button(symbol: "go-previous-symbolic", "Back", act: back)
        adw_header_bar_pack_start(header.to(), button.pointer)
        return (header, button)
    }

    // MARK: Together

    @discardableResult
    func append(_ children: Widget...) -> Widget {
        for child in children { gtk_box_append(to(), child.pointer) }
        return self
    }

    func remove(_ child: Widget) { gtk_box_remove(to(), child.pointer) }

    /// Removes all children of a box.
    func clear() { while let child = gtk_widget_get_first_child(pointer) { gtk_box_remove(to(), child) } }

    // MARK: Looks

    func styled(_ classes: String...) -> Widget { styled(classes) }

    private func styled(_ classes: [String]) -> Widget {
        for name in classes { gtk_widget_add_css_class(pointer, name) }
        return self
    }

    func margins(_ vertical: Int32, _ horizontal: Int32) -> Widget {
        gtk_widget_set_margin_top(pointer, vertical)
        gtk_widget_set_margin_bottom(pointer, vertical)
        gtk_widget_set_margin_start(pointer, horizontal)
        gtk_widget_set_margin_end(pointer, horizontal)
        return self
    }

    func expanded() -> Widget {
        gtk_widget_set_hexpand(pointer, 1)
        return self
    }

    /// Takes the height that is left.
    @discardableResult
    func tall() -> Widget {
        gtk_widget_set_vexpand(pointer, 1)
        return self
    }

    /// In the middle, both ways.
    func centred() -> Widget {
        gtk_widget_set_vexpand(pointer, 1)
        gtk_widget_set_valign(pointer, GTK_ALIGN_CENTER)
        return self
    }

    /// A label whose lines are centred.
    func centredText() -> Widget {
        gtk_label_set_xalign(to(), 0.5)
        gtk_label_set_justify(to(), GTK_JUSTIFY_CENTER)
        return self
    }

    /// In the middle of its height.
    func middle() -> Widget {
        gtk_widget_set_valign(pointer, GTK_ALIGN_CENTER)
        return self
    }

    func narrow() -> Widget {
        gtk_widget_set_halign(pointer, GTK_ALIGN_CENTER)
        return self
    }

    /// For a viewport whose content takes the focus.
    func unfocusable() -> Widget {
        gtk_widget_set_focusable(pointer, 0)
        return self
    }

    /// A label in one line, for a short text of ours.
    func unbroken() -> Widget {
        gtk_label_set_wrap(to(), 0)
        return self
    }

    func shown(_ isShown: Bool) { gtk_widget_set_visible(pointer, isShown ? 1 : 0) }
    func enabled(_ isEnabled: Bool) { gtk_widget_set_sensitive(pointer, isEnabled ? 1 : 0) }

    /// The text of a label. The same text again changes nothing.
    func text(_ text: String) {
        if String(cString: gtk_label_get_text(to())) != text { gtk_label_set_text(to(), text) }
    }

    func focus() { gtk_widget_grab_focus(pointer) }

    // MARK: For assistive technology

    func named(_ name: String) -> Widget {
        countersign_set_name(pointer, name)
        return self
    }

    func described(_ description: String) -> Widget {
        countersign_set_description(pointer, description)
        return self
    }

    // MARK: Signals

    func on(_ signal: String, _ act: @escaping @MainActor () -> Void) {
        let context = Action.retained(act)
        countersign_connect(pointer, signal, Action.run, context, Action.release)
    }

    /// Calls `act` with the place of a row of this list when the person chooses it.
    func onRow(_ act: @escaping @MainActor (Int) -> Void) {
        let context = Unmanaged.passRetained(NumberAction(act)).toOpaque()
        countersign_connect_rows(pointer, NumberAction.run, context, NumberAction.release)
    }

    /// A widget without a height that calls `act` with its width, whenever that becomes another.
    static func ruler(_ act: @escaping @MainActor (Int) -> Void) -> Widget {
        let context = Unmanaged.passRetained(NumberAction(act)).toOpaque()
        return Widget(countersign_ruler(NumberAction.run, context, NumberAction.release))
    }

    /// Calls `act` with the path of a file that is dropped here.
    func onFile(_ act: @escaping @MainActor (String) -> Void) {
        countersign_accept_file(pointer, TextAction.run, TextAction.retained(act), TextAction.release)
    }

    /// Calls `act` whenever this viewport may show another part of its content.
    func onScrolling(_ act: @escaping @MainActor () -> Void) {
        countersign_connect_scrolling(pointer, Action.run, Action.retained(act), Action.release)
    }
}

/// A closure that C holds as a pointer, until it says that it needs it no more.
final class Action: Sendable {
    private let act: @MainActor () -> Void

    private init(_ act: @escaping @MainActor () -> Void) { self.act = act }

    static func retained(_ act: @escaping @MainActor () -> Void) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(Action(act)).toOpaque()
    }

    /// GTK emits its signals on the main thread, and the pointer is the retained one, until `release`.
    static let run: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context else { return }
        let action = Unmanaged<Action>.fromOpaque(context).takeUnretainedValue()
        MainActor.assumeIsolated { action.act() }
    }

    /// Called once for each `retained`.
    static let release: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void = { context in
        if let context { Unmanaged<Action>.fromOpaque(context).release() }
    }
}

/// The same with a number: the place of a row, or a width.
private final class NumberAction: Sendable {
    private let act: @MainActor (Int) -> Void

    init(_ act: @escaping @MainActor (Int) -> Void) { self.act = act }

    /// As `Action.run`.
    static let run: @convention(c) @Sendable (UnsafeMutableRawPointer?, Int32) -> Void = { context, place in
        guard let context else { return }
        let action = Unmanaged<NumberAction>.fromOpaque(context).takeUnretainedValue()
        MainActor.assumeIsolated { action.act(Int(place)) }
    }

    static let release: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void = { context in
        if let context { Unmanaged<NumberAction>.fromOpaque(context).release() }
    }
}

/// The same with a text, which C lends for the call.
final class TextAction: Sendable {
    private let act: @MainActor (String) -> Void

    private init(_ act: @escaping @MainActor (String) -> Void) { self.act = act }

    static func retained(_ act: @escaping @MainActor (String) -> Void) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(TextAction(act)).toOpaque()
    }

    /// As `Action.run`.
    static let run: @convention(c) @Sendable (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void = {
        guard let context = $0, let text = $1 else { return }
        let action = Unmanaged<TextAction>.fromOpaque(context).takeUnretainedValue()
        let words = String(cString: text)
        MainActor.assumeIsolated { action.act(words) }
    }

    static let release: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void = { context in
        if let context { Unmanaged<TextAction>.fromOpaque(context).release() }
    }
}

/// Calls `act` once after this time.
@MainActor
func after(_ time: Duration, _ act: @escaping @MainActor () -> Void) {
    let milliseconds = UInt32(clamping: Int64((time / .milliseconds(1)).rounded(.up)))
    countersign_after(milliseconds, Action.run, Action.retained(act), Action.release)
}

extension Screen.ResultPage.Sign {
    /// The style of this colour.
    var style: String { symbol.1 }
}
