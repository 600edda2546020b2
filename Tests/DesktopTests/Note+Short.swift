@testable import Desktop
import Display

extension Note {
    init(_ summary: String, _ body: String..., actions: Set<Action> = [.review, .deny], stay: Stay = .lasting) {
        self.init(summary: DisplayText(summary), body: body.map { DisplayText($0) }, actions: actions, stay: stay)
    }
}

extension NotifierEvent {
    static func review(_ key: String, tag: String = "") -> NotifierEvent { .pressed(.review, key, tag: tag) }
    static func deny(_ key: String, tag: String = "") -> NotifierEvent { .pressed(.deny, key, tag: tag) }
}
