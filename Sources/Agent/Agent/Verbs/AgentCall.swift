internal import Approvals
import Basics
internal import Sessions
package import Verbs

/// The agent, asked by one caller: it carries out the verbs that only an agent has.
package struct AgentCall: Sendable {
    let agent: ServedAgent
    let caller: CallerContext
}

package typealias AgentVerb<Input: VerbInput, Output: Sendable> = Verb<AgentCall, Input, Output>

extension AgentAPI {
    /// Serves all verbs.
    ///
    /// - Parameter note: called with the caller, before each request.
    package init(_ agent: ServedAgent, note: @escaping @Sendable (CallerContext) -> Void = { _ in }) {
        // `/grants/own` must come before the routes that have an id in the same place.
        let routes =
            AgentVerbs.all.map { Route($0) { AgentCall(agent: agent, caller: $0) } }
            + ApprovalVerbs.all.map { Route($0) { ApprovalCaller(wing: agent.approvals, caller: $0) } }
            + SessionVerbs.all.map { Route($0) { SessionCaller(wing: agent.sessions, caller: $0) } }
        self.init(routes, demandOpen: { try await agent.demandOpen() }, note: note)
    }
}
