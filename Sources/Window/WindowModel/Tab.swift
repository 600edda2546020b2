/// The parts of an open window, in their order.
package enum Tab: Sendable, Equatable, CaseIterable {
    case requests, banks, history, signIns, programs

    /// Its name, also for assistive technology.
    package var name: String {
        switch self {
        case .requests: "Requests"
        case .banks: "Banks"
        case .history: "History"
        case .signIns: "Sign-ins"
        case .programs: "Programs"
        }
    }
}

extension Screen {
    /// Whether it is the first page of its tab: the others lead back to it.
    package var isFirst: Bool {
        switch self {
        case .requests, .banks, .history, .signIns, .programs: true
        case .connecting, .stopped, .welcome, .locked, .card, .ask, .result, .bank, .addBank, .asking, .settings,
            .changePIN, .historyEntry, .session:
            false
        }
    }
}
