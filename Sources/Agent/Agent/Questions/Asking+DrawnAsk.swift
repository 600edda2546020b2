import Dialogue
import Pinentry

extension Asking {
    /// Puts this question of a dialogue to the person. `show` lets each of its windows onto the screen.
    @AgentActor
    func answer(
        _ ask: DrawnAsk, _ show: @AgentActor (@escaping @Sendable () async throws -> Answer) async throws -> Answer
    ) async throws -> Answer {
        switch ask {
        case .pages(var pages):
            while let page = pages.current { pages.take(try await show { Answer(try await self.choose(page)) }) }
            return pages.end ?? .no
        case .yesNo(let question): return try await show { try await self.askYesOrNo(question) ? .yes : .no }
        case .choice(let question): return try await show { Answer(try await self.choose(question)) }
        case .text(let question):
            return try await show { try await self.askPIN(question).map { Answer(typed: $0) } ?? .no }
        }
    }
}
