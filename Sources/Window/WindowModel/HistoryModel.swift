package import Approvals
import ApprovalModel
package import Basics
import Display
import FoundationEssentials

/// An event of the tab of history.
package enum HistoryEvent: Sendable {
    case loaded(Result<HistoryPayload, Failure>)
    /// The entry with this hash, with its plaintext.
    case sourced(HistoryPayload.Entry)
    case search(String)
    /// Only this connection; nil for all.
    case choose(connection: String?)
    /// Opens the entry at this place of the list.
    case open(Int)
    case showSource
}

/// A task from the tab of history.
package enum HistoryEffect: Sendable {
    case load
    /// Learn the plaintext of the entry with this hash, of this time.
    case learnSource(hash: String, at: Timestamp)
}

/// The tab of history: decisions and claims, newest first, and one entry whole.
struct HistoryModel: Sendable {
    private enum Phase: Sendable {
        case loading
        case failed(Failure)
        case loaded(HistoryPayload)
    }

    fileprivate enum Entry: Sendable {
        case decision(HistoryPayload.Entry)
        case claim(HistoryPayload.Action)
    }

    private var phase = Phase.loading
    private var entries: [Entry] = []
    private var search = ""
    private var connection: String?
    private var page: Entry?
    /// The rows that fit search and connection, as places in `entries`.
    private var found: [Int] = []
    private var rows: [Screen.History.Row] = []
    /// Grows with each change of the rows.
    private var version = 0

    // MARK: Events

    /// The tab is shown, or a decision was made.
    mutating func renew() -> [WindowEffect] { [.history(.load)] }

    mutating func back() { page = nil }

    var isFirst: Bool { page == nil }

    mutating func take(_ event: HistoryEvent) -> [WindowEffect] {
        switch event {
        case .loaded(.failure(let failure)):
            if case .loading = phase { phase = .failed(failure) }
        case .loaded(.success(let history)):
            if case .loaded(let before) = phase, before == history { return [] }
            phase = .loaded(history)
            entries = Self.entries(history)
            sift()
        case .sourced(let entry):
            if case .decision(let shown) = page, shown.hash == entry.hash { page = .decision(entry) }
        case .search(let text):
            search = text
            sift()
        case .choose(let connection):
            self.connection = connection
            sift()
        case .open(let place):
            guard found.indices.contains(place) else { return [] }
            page = entries[found[place]]
        case .showSource:
            guard case .decision(let entry) = page, entry.source == nil else { return [] }
            return [.history(.learnSource(hash: entry.hash, at: entry.at))]
        }
        return []
    }

    /// Newest first. Within the same second the claim came before the decision on the request that it led to.
    private static func entries(_ history: HistoryPayload) -> [Entry] {
        let timed =
            (history.actions ?? []).map { ($0.at, Entry.claim($0)) } + history.decisions.map { ($0.at, .decision($0)) }
        let sorted = timed.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        return sorted.reversed().map(\.element.1)
    }

    private mutating func sift() {
        let words = search.lowercased().split(separator: " ")
        let connection = connection
        found = entries.indices.filter { place in
            let entry = entries[place]
            guard connection == nil || entry.connection == connection else { return false }
            guard !words.isEmpty else { return true }
            let text = entry.everything.lowercased()
            return words.allSatisfy { text.contains($0) }
        }
        rows = found.map { entries[$0].row }
        version += 1
    }

    // MARK: The screen

    func screen() -> Screen {
        if let page { return .historyEntry(page.page) }
        switch phase {
        case .loading: return .history(Screen.History(state: .loading, connections: [], connection: nil))
        case .failed(let failure):
            return .history(
                Screen.History(state: .failed(Screen.Trouble(failure)), connections: [], connection: nil))
        case .loaded(let history):
            let names = Set(entries.map(\.connection)).sorted()
            return .history(
                Screen.History(
                    state: entries.isEmpty ? .empty : .listed, isIntact: history.isIntact, verdict: verdict(history),
                    connections: names, connection: connection, rows: Screen.History.Rows(version: version, all: rows)))
        }
    }

    private func verdict(_ history: HistoryPayload) -> String {
        let accepted = (history.accepted ?? []).map { "; accepted on \(LocalTime.full($0.at.date)): \($0.reason)" }
        let failures = (history.failures ?? []).map { " " + Sentence.of($0.message) }
        return "The log is \(history.log)" + accepted.joined() + "." + failures.joined()
            + (history.isIntact
                ? "" : " Keep a copy of it, and ask your banks which decisions they have.")
    }
}

extension HistoryModel.Entry {
    var connection: String {
        switch self {
        case .decision(let entry): String(entry.ref.prefix { $0 != ":" })
        case .claim(let claim): claim.connection
        }
    }

    /// All that a search looks through.
    var everything: String {
        switch self {
        case .decision(let entry):
            ([entry.title, entry.text, entry.bank, entry.ref] + (entry.fields ?? [:]).values).joined(separator: "\n")
        case .claim(let claim): [claim.action, claim.bank, claim.host, claim.connection].joined(separator: "\n")
        }
    }

    var row: Screen.History.Row {
        switch self {
        case .decision(let entry):
            let (sign, words) = entry.end
            return .init(
                hash: entry.hash, sign: sign, title: shown(entry.title),
                detail: "\(shown(entry.bank)) · \(LocalTime.full(entry.at.date)) · \(words)")
        case .claim(let claim):
            let (sign, words) = claim.end
            return .init(
                hash: claim.hash, sign: sign, title: "Code on a page: " + shown(claim.action),
                detail: "\(shown(claim.bank)) · \(LocalTime.full(claim.at.date)) · \(words)")
        }
    }

    var page: Screen.HistoryEntry {
        switch self {
        case .decision(let entry):
            let (sign, words) = entry.end
            return Screen.HistoryEntry(
                hash: entry.hash, sign: sign, headline: words, time: LocalTime.full(entry.at.date),
                place: shown(entry.bank), title: shown(entry.title),
                text: DisplayText(answered: entry.text).block,
                facts: [
                    .init(label: "You", value: entry.decision == .approve ? "approved it" : "denied it"),
                    .init(label: "Fingerprint", value: shown(entry.fingerprint)),
                    .init(label: "Entry of the log", value: shown(entry.hash)),
                ],
                details: .init(
                    reference: shown(entry.ref), code: nil,
                    source: entry.source.map { DisplayText(answered: $0).block }))
        case .claim(let claim):
            let (sign, words) = claim.end
            return Screen.HistoryEntry(
                hash: claim.hash, sign: sign, headline: words, time: LocalTime.full(claim.at.date),
                place: "\(shown(claim.bank)) · \(shown(claim.host))", title: shown(claim.action), text: "",
                facts: [
                    .init(label: "You", value: "claimed the code on a page for \(shown(claim.connection))"),
                    .init(label: "Entry of the log", value: shown(claim.hash)),
                ], details: claim.authorization.map { .init(reference: shown($0), code: nil, source: nil) })
        }
    }
}

/// A text of an answer, in one line, safe to show.
func shown(_ text: String) -> String { DisplayText(answered: text).line }

extension HistoryPayload.Entry {
    /// Its end in a few words.
    fileprivate var end: (Screen.ResultPage.Sign, String) {
        if alarm { return (.bad, "Confirmed, though you denied it: call the bank") }
        return switch outcome {
        case .confirmed: (.good, "Confirmed")
        case .denied: (.neutral, "Denied")
        case .processing: (.waiting, "Still processing")
        case .refused: (.bad, "Refused by the bank")
        case .expired: (.warning, "Expired")
        case .unsent: (.warning, "Not sent")
        case .unknown where likely != nil: (.warning, "Not known: " + (likely?.likelihood ?? ""))
        case .unknown: (.warning, final ? "Not known: ask the bank" : "Not known yet")
        }
    }
}

extension HistoryPayload.Action {
    fileprivate var end: (Screen.ResultPage.Sign, String) {
        switch outcome {
        case .claimed: (.good, "Claimed")
        case .refused: (.bad, "Refused by the bank")
        case .unknown: (.warning, "Not known: ask the bank")
        }
    }
}
