import Client
import ArgumentParser
import Approvals
import Display
import Glibc

/// The shell's completions, from the data of an open agent; without an agent there are none. They ask neither person
/// nor bank, start nothing, and show no errors.
enum Completing {
    /// The names of connections.
    static let names = CompletionKind.custom { words, _, _ in await offers(of: .names, among: words) }
    /// The references of the waiting requests.
    static let references = CompletionKind.custom { words, index, _ in
        let others = words.enumerated().filter { $0.offset != index }.map { unquoted($0.element) }
        return await offers(of: .references, among: words).filter { offer in
            // A reference that is already on the line is not offered again.
            !others.contains { offer == $0 || offer.hasPrefix(escaped($0) + separator) }
        }
    }

    private enum Kind { case names, references }

    private static func offers(of kind: Kind, among words: [String]) async -> [String] {
        // Ends after 2 seconds, so that an agent in trouble does not block the shell.
        signal(SIGALRM) { _ in _exit(0) }
        alarm(2)
        var options = Options()
        options.noInput = true
        options.home = home(in: words)
        let settings = (try? Settings.load()) ?? Settings()
        guard let agent = try? Context(options, settings: settings, callsInPlace: true).agentPlace.openAgent() else {
            return []
        }
        switch kind {
        case .names:
            let connections = try? await agent.approvals.perform(ApprovalVerbs.connections).connections
            return (connections ?? []).compactMap { connection in
                let bank = DisplayText(answered: connection.bank).line(within: 40)
                return offer(connection.name, "\(bank) (\(DisplayText(answered: connection.host).line(within: 40)))")
            }
        case .references:
            let cards = try? await agent.approvals.perform(
                ApprovalVerbs.pending, PendingRequest(connection: nil, known: true)
            ).authorizations
            return (cards ?? []).compactMap { offer($0.reference, $0.title.line(within: 60)) }
        }
    }

    /// A completion in the form of the shell that asks; nil if a shell could read it as more than one word.
    private static func offer(_ value: String, _ description: String) -> String? {
        guard value.utf8.allSatisfy(harmless.contains) else { return nil }
        switch CompletionShell.requesting {
        case .zsh?, .fish?: return escaped(value) + separator + description
        // bash shows no descriptions, and would execute one.
        default: return value
        }
    }

    /// The characters of names and references.
    private static let harmless = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:%_-".utf8)

    private static var separator: String { CompletionShell.requesting == .fish ? "\t" : ":" }

    private static func escaped(_ value: String) -> String {
        CompletionShell.requesting == .zsh ? value.replacing(":", with: "\\:") : value
    }

    /// The value of `--home` on the line, whose words are as they were typed.
    private static func home(in words: [String]) -> String? {
        guard let index = words.firstIndex(where: { $0 == "--home" || $0.hasPrefix("--home=") }) else { return nil }
        var value: String?
        if words[index] == "--home" {
            // bash splits --home=DIR into three words.
            value = words[(index + 1)...].first { $0 != "=" }
        } else {
            value = String(words[index].dropFirst("--home=".count))
        }
        return value.map { value in
            guard value.hasPrefix("~/"), let home = Environment.value("HOME") else { return unquoted(value) }
            return home + unquoted(String(value.dropFirst()))
        }
    }

    private static func unquoted(_ word: String) -> String { word.filter { !"\\'\"".contains($0) } }
}
