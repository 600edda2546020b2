import Basics

extension Rejection {
    /// The failure of a session's renewal that asked for these scopes and resources, if the issuer refuses those.
    func failure(of session: SignIn, asking aim: TokenAim) -> Failure {
        let name = session.name
        let option: String
        let words: String
        let (refused, others): ([String], [String])
        if kind == .target {
            (option, words) = ("--resource", "the issuer of \(name.text) gives no tokens for")
            refused = (aim.resources.isEmpty ? session.resources : aim.resources).map(\.text)
            others = session.resources.map(\.text)
        } else {
            (option, words) = ("--scope", "the issuer of \(name.text) does not grant")
            (refused, others) = ((aim.scopes ?? session.granted).all, session.asked.all)
        }
        guard !refused.isEmpty else { return failure(of: name) }
        return Failure(
            .refused, "\(words): \(refused.joined(separator: " "))" + said,
            hint: CommandWords.login(name) + CommandWords.options(option, Set(others).union(refused).sorted()))
    }
}
