package import Approvals
package import Basics
package import Dialogue
import AgentWire

extension Carrier where Host == any ApprovalHost {
    /// The entries of the log that make the questions about this card longer. A log that cannot be read counts as empty here; the
    /// decision itself reports it.
    package func entries(about card: Card, by clock: Clock) async -> DecisionPast.Entries {
        func entries(_ request: HistoryRequest) async -> [HistoryPayload.Entry] {
            (try? await perform(ApprovalVerbs.history, request))?.decisions ?? []
        }
        let lately = await entries(.lately(by: clock))
        return DecisionPast.Entries(lately: lately, there: card.options == nil ? [] : await entries(.there(card)))
    }
}
