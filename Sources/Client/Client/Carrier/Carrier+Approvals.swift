package import Approvals
internal import Basics
package import Dialogue
internal import Dispatch
package import ApprovalModel
import AgentWire
import Verbs

extension Carrier where Host == any ApprovalHost {
    /// Begins to connect a bank, or to connect it again: fetches the offer for the person's consent, and makes no key yet.
    package func enroll(
        _ request: EnrollmentRequest
    ) async throws -> (offer: EnrollmentOfferPayload, steps: PageSteps<ConnectionPayload>) {
        switch way {
        case .agent(let client):
            // It has a connection of its own, by which the agent notices that this process is gone and ends the enrollment.
            let client = client.another()
            let wanted = NewEnrollment(request, whileConnected: true)
            let opened = try await client.perform(AgentVerbs.beginEnrollment, wanted)
            return (opened.offer, client.steps(ofEnrollment: opened.id))
        case .vault(let host):
            let enrollment = try await host.operations(to: nil).enrollment(request)
            let offer = try await enrollment.begin()
            return (
                offer,
                PageSteps(
                    accept: { try await enrollment.accept(returnURL: $0) }, take: { try await enrollment.take($0) },
                    abandon: { await enrollment.abandon() })
            )
        }
    }

    /// The questions before the action behind this link is claimed. `name`: the connection that the person named.
    package func dialogue(
        claiming link: GivenLink, named name: String?, isRequest: Bool, isAgreed: Bool = false,
        before audience: Audience
    ) async throws -> ActionDialogue {
        let candidates = try await perform(ApprovalVerbs.candidates, CandidatesRequest(link: link)).connections
        let isThere = candidates.contains { name == nil || $0.name == name }
        let known = isThere ? [] : try await perform(ApprovalVerbs.connections).connections.map(\.name)
        return ActionDialogue(
            among: candidates, named: name, known: known, isRequest: isRequest, isAgreed: isAgreed, before: audience)
    }

    /// Streams the waiting requests, as `added`, and then each change. Ends when nobody reads it any more, and throws when the agent ends.
    package func events() async throws -> AsyncThrowingStream<Event, any Error> {
        switch way {
        case .agent(let client): try await client.approvalEvents()
        case .vault(let host): try await host.operations(to: nil).events()
        }
    }
}

extension AgentClient {
    fileprivate func steps(ofEnrollment id: String) -> PageSteps<ConnectionPayload> {
        PageSteps(
            accept: { try await self.perform(AgentVerbs.accept, on: id, Acceptance(returnURL: $0)) },
            take: {
                do {
                    return try await self.perform(AgentVerbs.redirect, on: id, IncomingAddress($0))
                } catch var failure as Failure where failure.kind == .locked {
                    // The agent keeps the enrollment. It goes on when the person has unlocked the agent and loads the page again.
                    failure.hint = "countersign unlock, then reload the bank's page in the browser"
                    return RedirectVerdict(error: failure)
                }
            }, abandon: { _ = try? await self.perform(AgentVerbs.endEnrollment, on: id, NoInput()) })
    }

    fileprivate func approvalEvents() async throws -> AsyncThrowingStream<Event, any Error> {
        let events = try await events()
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Event.self)
        continuation.onTermination = { _ in events.cancel() }
        // Its calls block until something happens, so it has a thread.
        DispatchQueue(label: "agent's events").async {
            do {
                while let event = try events.next() {
                    let event = try JSONForm.decode(AgentEvent.self, from: Array(event.data.utf8))
                    // Events of sessions come only on request, and this client does not request them.
                    if case .approvals(let event) = event { continuation.yield(event) }
                }
                continuation.finish(throwing: Failure.agentEnded)
            } catch {
                continuation.finish(throwing: Failure(error, after: .none))
            }
        }
        return stream
    }
}
