import Basics
import Glibc
import Sessions

/// Output that is ready: a token that is good, for the person, or for a program that had a token before by the same
/// grant.
extension SessionWing {
    /// The output of a command, by the rules of `token`, if that needs no renewal, no question and no change.
    nonisolated func ready(_ request: ReadyRequest, for caller: CallerContext) async throws -> ReadyPayload {
        let nothing = ReadyPayload(lines: [])
        guard request.pid == getpid(), request.version == ProductVersion.text else { return nothing }
        let begun = clock.moment()
        let terms = try TokenTerms()
        let lines: [String]?
        let found: Permitted?
        if let url = request.url {
            let wanted = HeadersRequest(url: url, terms)
            found = try await permittedAlready(caller) { try $0.choice(for: wanted, among: $1) }
            lines = try found.flatMap { try $0.sessions.readyHeaders(by: $0.choice, terms, within: $0.grant)?.lines }
        } else {
            let wanted = TokenRequest(target: request.target, terms)
            found = try await permittedAlready(caller) { try $0.choice(for: wanted, among: $1) }
            lines = try found.flatMap { try $0.sessions.readyToken(by: $0.choice, terms, within: $0.grant) }
                .map { [$0.token.value] }
        }
        // In a longer time the person may have locked, or taken the grant back. The program that asks takes only plain text.
        guard let found, let lines, lines.allSatisfy(\.isPlain), clock.moment() <= begun + .milliseconds(100) else {
            return nothing
        }
        if let grant = found.grant { uses.used(grant, in: found.sessions) }
        return ReadyPayload(lines: lines)
    }

    /// Nil if the caller may not have it, or if only a question or a note would let it.
    private nonisolated func permittedAlready(_ caller: CallerContext, _ find: Find) async throws -> Permitted? {
        let inputs = try await decisionInputs(for: caller)
        guard let ready = (try? inputs.decision(find)).flatMap(HandOut.ready) else { return nil }
        return Permitted(sessions: inputs.sessions, choice: ready.choice, grant: ready.grant)
    }
}

extension String {
    /// Whether every character is one of ASCII that stands for itself in JSON.
    fileprivate var isPlain: Bool {
        utf8.allSatisfy { (32..<127).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
