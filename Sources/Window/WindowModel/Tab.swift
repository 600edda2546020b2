/// The parts of an open window, in their order.
package enum Tab: Sendable, Equatable, CaseIterable {
    case requests, banks

    /// Its name, also for assistive technology.
    package var name: String {
        switch self {
        case .requests: "Requests"
        case .banks: "Banks"
        }
    }
}

extension Screen {
    /// The tab that this page belongs to. Nil where no content may be shown.
    package var tab: Tab? {
        switch self {
        case .connecting, .stopped, .welcome, .locked, .settings, .changePIN: nil
        case .requests, .card, .result: .requests
        case .banks, .bank, .addBank: .banks
        case .asking(let asking): asking.tab
        }
    }

    /// Whether it is the first page of its tab: the others lead back to it.
    package var isFirst: Bool {
        switch self {
        case .requests, .banks: true
        case .connecting, .stopped, .welcome, .locked, .card, .result, .bank, .addBank, .asking,
            .settings, .changePIN:
            false
        }
    }
}
