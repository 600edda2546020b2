import Approvals
import AgentWire
import Basics
import Client
import Keys
import Sessions
import WindowModel

// The tasks of the tabs beside the requests.

extension Conductor {
    func perform(_ effect: HistoryEffect) {
        switch effect {
        case .load:
            call { agent in
                let request = HistoryRequest(connection: nil, since: nil, limit: nil, isVerified: true)
                return .history(.loaded(.success(try await agent.approvals.perform(ApprovalVerbs.history, request))))
            } failed: {
                .history(.loaded(.failure($0)))
            }
        case .learnSource(let hash, let time):
            call { agent in
                let request = HistoryRequest(
                    connection: nil, since: time, limit: nil, isVerified: true, withSource: true)
                let history = try await agent.approvals.perform(ApprovalVerbs.history, request)
                return history.decisions.first { $0.hash == hash }.map { .history(.sourced($0)) }
            } failed: { _ in
                nil
            }
        }
    }

    func perform(_ effect: SignInsEffect, _ pin: (any Secret)?) {
        switch effect {
        case .load:
            call { agent in
                let sessions = try await agent.sessions.perform(SessionVerbs.sessions).sessions
                let sites = try await agent.sessions.perform(SiteVerbs.sites).sites
                let grants = try await agent.sessions.perform(SessionVerbs.grants).grants
                return .signIns(
                    .loaded(.success(SignInsContent(sessions: sessions, sites: sites, grants: grants))))
            } failed: {
                .signIns(.loaded(.failure($0)))
            }
        case .learn(let name):
            call { agent in
                .signIns(
                    .learned(
                        try await agent.sessions.perform(SessionVerbs.show, on: name, ShowOptions(refresh: false))))
            } failed: { _ in
                nil
            }
        case .rename(let name, let new):
            change(effect) { agent in
                _ = try await agent.sessions.perform(SessionVerbs.rename, on: name, SessionChange(name: new))
            }
        case .setSignOut(let name, let change):
            self.change(effect) { agent in
                defer { pin?.wipe() }
                _ = try await agent.sessions.perform(
                    SessionVerbs.setSignOut, on: name, change, pin: pin.map { .typed($0, from: .person) })
            }
        case .signIn(let address): signIn(effect, at: address)
        case .answer(let answer): login.answer(answer)
        case .endSignIn: login.end()
        case .signOut(let name):
            change(effect) { agent in
                _ = try await agent.sessions.perform(
                    SessionVerbs.signOut, on: name, SignOutOptions(localOnly: false, browser: false))
            }
        }
    }

    private func change(_ effect: SignInsEffect, _ act: @escaping @Sendable (RunningAgent) async throws -> Void) {
        call { agent in
            try await act(agent)
            return .signIns(.done(effect, nil))
        } failed: {
            .signIns(.done(effect, $0))
        }
    }

    private func signIn(_ effect: SignInsEffect, at address: String) {
        guard let agent else { return }
        login.begin(at: address, by: agent) { [weak self] in
            self?.take(.signIns(.asked($0)))
        } ended: { [weak self] in
            self?.take(.signIns(.done(effect, $0)))
        }
    }

    func perform(_ effect: ProgramsEffect, _ pin: (any Secret)?) {
        switch effect {
        case .load:
            call { agent in
                let requests = try await agent.own.perform(AgentVerbs.requests).requests
                let grants = try await agent.sessions.perform(SessionVerbs.grants).grants
                return .programs(.loaded(.success(ProgramsContent(requests: requests, grants: grants))))
            } failed: {
                .programs(.loaded(.failure($0)))
            }
        case .allow(let id, let terms):
            change(effect) { agent in
                defer { pin?.wipe() }
                _ = try await agent.own.perform(
                    AgentVerbs.allow, on: id, terms, pin: pin.map { .typed($0, from: .person) })
            }
        case .refuse(let id):
            change(effect) { agent in _ = try await agent.own.perform(AgentVerbs.refuse, on: id) }
        case .revoke(let id):
            change(effect) { agent in
                _ = try await agent.sessions.perform(SessionVerbs.revoke, on: id, RevokeOptions(cut: false))
            }
        }
    }

    private func change(_ effect: ProgramsEffect, _ act: @escaping @Sendable (RunningAgent) async throws -> Void) {
        call { agent in
            try await act(agent)
            return .programs(.done(effect, nil))
        } failed: {
            .programs(.done(effect, $0))
        }
    }
}
