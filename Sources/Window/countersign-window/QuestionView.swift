import Basics
import CWindow
import WindowModel

/// One question of the dialogue, with the place for its answer.
@MainActor
final class QuestionView {
    private enum Place {
        case none
        case text(Widget)
        case options([(option: String, button: Widget)])
        case pin(PINField)
    }

    let widget = Widget.column(8, "card", "question")
    private let shown: Screen.Question
    private let trouble = Widget.label("", "error")
    private let place: Place
    /// The second click of a double one, which was meant for the question before, answers nothing.
    private var isFresh = true

    init(_ question: Screen.Question) {
        shown = question
        widget.append(Widget.label(question.headline, "heading"))
        if let words = question.words { widget.append(Widget.label(words)) }
        for (index, line) in question.recap.enumerated() {
            widget.append(Widget.label(line, index == 0 ? "title-3" : "body"))
        }
        switch question.input {
        case .none: place = .none
        case .text(let name):
            let entry = Widget.entry(name)
            widget.append(entry)
            place = .text(entry)
        case .options(let options):
            var buttons: [(option: String, button: Widget)] = []
            for option in options {
                let button = Widget(countersign_radio_button()).named(option)
                gtk_check_button_set_child(button.to(), Widget.label(option).pointer)
                if let first = buttons.first?.button { gtk_check_button_set_group(button.to(), first.to()) }
                widget.append(button)
                buttons.append((option, button))
            }
            place = .options(buttons)
        case .pin:
            let field = PINField()
            widget.append(field.widget)
            place = .pin(field)
        }
        widget.append(trouble)
        show(question.trouble)
    }

    /// Draws the newer form of the same question. Returns false for another one.
    func draw(_ question: Screen.Question) -> Bool {
        guard
            (question.verdict, question.headline, question.recap, question.input)
                == (shown.verdict, shown.headline, shown.recap, shown.input)
        else { return false }
        show(question.trouble)
        return true
    }

    private func show(_ words: String?) {
        if words != nil, case .pin(let field) = place { field.widget.focus() }
        trouble.text(words ?? "")
        trouble.shown(words != nil)
    }

    var isAnswered: Bool {
        switch place {
        case .none: !shown.isEarly && !isFresh
        case .text(let entry): !entry.typed.isEmpty
        case .options(let options): options.contains { Self.isChosen($0.button) }
        case .pin(let field): !field.isEmpty
        }
    }

    /// Takes the answer. Nil while there is none.
    func take() -> WindowEvent? {
        guard isAnswered else { return nil }
        switch place {
        case .none: return .answer(.yes)
        case .text(let entry): return .answer(.typed(entry.typed))
        case .options(let options):
            return options.first { Self.isChosen($0.button) }.map { .answer(.typed($0.option)) }
        case .pin(let field): return field.take().map { .pin($0) }
        }
    }

    func wipe() { if case .pin(let field) = place { field.wipe() } }

    func focus() {
        switch place {
        case .none: break
        case .text(let entry): entry.focus()
        case .options(let options): options.first?.button.focus()
        case .pin(let field): field.widget.focus()
        }
    }

    func whenChanged(_ act: @escaping @MainActor () -> Void) {
        switch place {
        case .none:
            after(.milliseconds(500)) { [weak self] in
                self?.isFresh = false
                act()
            }
        case .text(let entry): entry.on("changed", act)
        case .options(let options): for option in options { option.button.on("toggled", act) }
        case .pin(let field): field.widget.on("changed", act)
        }
    }

    func whenEntered(_ act: @escaping @MainActor () -> Void) {
        switch place {
        case .none, .options: break
        case .text(let entry): entry.on("activate", act)
        case .pin(let field): field.widget.on("activate", act)
        }
    }

    private static func isChosen(_ button: Widget) -> Bool { gtk_check_button_get_active(button.to()) != 0 }
}
